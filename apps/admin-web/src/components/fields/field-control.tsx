import { Field } from "@latchkey/ui/components/field.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import type { EditableField } from "./field-text.ts";
import { t } from "../../texts.ts";

interface FieldControlProps {
  field: EditableField;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

const notSet = { value: "", label: t("fields.notSet") };

const choicesOf = ({ type, required }: EditableField, text: string) => {
  const named =
    type === "boolean"
      ? [
          { value: "true", label: t("common.yes") },
          { value: "false", label: t("common.no") },
        ]
      : (Array.isArray(type) ? type : []).map((value) => ({ value, label: value }));
  return required && text !== "" ? named : [notSet, ...named];
};

const hints: Partial<Record<string, string>> = {
  date: t("fields.inUtc"),
  "string[]": t("fields.valuePerLine"),
  "number[]": t("fields.numberPerLine"),
};

/** The control of an additional field, by its type. */
export const FieldControl = ({ field, text, onChange, error }: FieldControlProps) => {
  const { name, type } = field;
  const label = <bdi>{name}</bdi>;
  if (type === "boolean" || Array.isArray(type))
    return (
      <Field label={label} error={error}>
        <Select choices={choicesOf(field, text)} value={text} onChange={onChange} />
      </Field>
    );
  const shared = {
    label,
    hint: hints[type],
    error,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (type === "string[]" || type === "number[]")
    return <TextAreaField {...shared} spellCheck={false} />;
  return (
    <TextField
      {...shared}
      type={type === "date" ? "datetime-local" : "text"}
      inputMode={type === "number" ? "decimal" : undefined}
      autoComplete="off"
      dir="auto"
    />
  );
};
