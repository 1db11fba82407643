import { readPageFact } from "@latchkey/ui/page-facts.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { type EditableField, readFieldText } from "../fields/field-text.ts";
import { fieldPaths, type FieldTexts, FormFields } from "../fields/form-fields.tsx";

/** The additional fields that every new user needs. The gateway writes them into the page, because the first admin can read no options. */
const fields = (
  (readPageFact("required-fields") as readonly Omit<EditableField, "required">[] | undefined) ?? []
).map((field): EditableField => Object.assign(field, { required: true }));

/** Returns the value of an enumeration that is the language of this browser. */
const ownLanguage = ({ name, type }: EditableField): string | undefined => {
  const [language = ""] = navigator.language.split("-", 1);
  return name === "locale" && Array.isArray(type)
    ? type.find((value) => value.split(/[-_]/, 1)[0] === language)
    : undefined;
};

/** The texts of the fields when a form opens. */
export const startTexts = (isOwn = false): FieldTexts =>
  Object.fromEntries(fields.map((field) => [field.name, (isOwn && ownLanguage(field)) || ""]));

/** Reads the texts of the fields into values. */
export const requiredFields = z
  .record(z.string(), z.string())
  .transform((texts, { addIssue }): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const field of fields) {
      const read = readFieldText(field, texts[field.name] ?? "");
      if ("fault" in read) addIssue({ code: "custom", path: [field.name], message: read.fault });
      else values[field.name] = read.value;
    }
    return values;
  });

/** The paths in forms of the fields that the server names. */
export const requiredFieldPaths = fieldPaths(fields);

/** The controls of the additional fields that a new user needs. */
export const RequiredFields = ({ form }: Pick<Parameters<typeof FormFields>[0], "form">) => (
  <FormFields fields={fields} form={form} />
);
