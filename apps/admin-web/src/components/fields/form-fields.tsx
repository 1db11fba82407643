import { z } from "@latchkey/ui/zod-without-eval.ts";
import { FieldControl } from "./field-control.tsx";
import { type EditableField, readFieldText, textOfValue } from "./field-text.ts";

/** The texts of the controls of additional fields, by name. */
export type FieldTexts = Record<string, string>;
type FieldPath = `fields.${string}`;

/** Returns the texts of the values of a row, or of none. */
export const fieldTexts = (
  fields: readonly EditableField[],
  row: Readonly<Record<string, unknown>> = {},
): FieldTexts =>
  Object.fromEntries(fields.map((field) => [field.name, textOfValue(field, row[field.name])]));

/** Reads those texts that differ from the saved ones into values. */
export const changedFields = (fields: readonly EditableField[], saved: FieldTexts) =>
  z.record(z.string(), z.string()).transform((texts, { addIssue }): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const field of fields) {
      const { name } = field;
      const text = texts[name] ?? "";
      if (text === (saved[name] ?? "")) continue;
      const read = readFieldText(field, text);
      if ("fault" in read) addIssue({ code: "custom", path: [name], message: read.fault });
      else values[name] = read.value;
    }
    return values;
  });

/** Returns the paths in forms of the fields that the server names, also where it says that one is missing. */
export const fieldPaths = (
  fields: readonly Pick<EditableField, "name">[],
): Readonly<Record<string, FieldPath>> =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const path = `fields.${name}` as const;
      return [
        [name, path],
        [`${name.toUpperCase()}_IS_REQUIRED`, path],
      ];
    }),
  );

interface FormFieldsProps {
  fields: readonly EditableField[];
  form: {
    choice: (path: FieldPath) => { value: string | undefined; onChange: (text: string) => void };
    errorOf: (path: FieldPath) => string | undefined;
  };
}

/** The controls of additional fields in a form with other fields. */
export const FormFields = ({ fields, form }: FormFieldsProps) =>
  fields.map((field) => {
    const { value = "", onChange } = form.choice(`fields.${field.name}`);
    return (
      <FieldControl
        key={field.name}
        field={field}
        text={value}
        onChange={onChange}
        error={form.errorOf(`fields.${field.name}`)}
      />
    );
  });
