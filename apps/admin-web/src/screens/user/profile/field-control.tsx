import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Textarea } from "@latchkey/ui/components/textarea.tsx";
import type { EditableField } from "../../../components/users/field-text.ts";

interface FieldControlProps {
  field: EditableField;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

const notSet = { value: "", label: "Not set" };

const choicesOf = ({ type, required }: EditableField, text: string) => {
  const named =
    type === "boolean"
      ? [
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]
      : (Array.isArray(type) ? type : []).map((value) => ({ value, label: value }));
  return required && text !== "" ? named : [notSet, ...named];
};

const Control = ({ field, text, onChange }: Omit<FieldControlProps, "error">) => {
  const { type } = field;
  if (type === "boolean" || Array.isArray(type))
    return <Select choices={choicesOf(field, text)} value={text} onChange={onChange} />;
  if (type === "string[]" || type === "number[]")
    return (
      <Textarea value={text} onChange={({ target }) => onChange(target.value)} spellCheck={false} />
    );
  return (
    <Input
      value={text}
      onChange={({ target }) => onChange(target.value)}
      type={type === "date" ? "datetime-local" : "text"}
      inputMode={type === "number" ? "decimal" : undefined}
      autoComplete="off"
      dir="auto"
    />
  );
};

const descriptions: Partial<Record<string, string>> = {
  date: "In UTC.",
  "string[]": "One value on each line.",
  "number[]": "One number on each line.",
};

/** The control of an additional field, by its type. */
export const FieldControl = ({ error, ...rest }: FieldControlProps) => {
  const { name, type } = rest.field;
  const description = typeof type === "string" ? descriptions[type] : undefined;
  return (
    <Field label={<bdi>{name}</bdi>} description={description} error={error}>
      <Control {...rest} />
    </Field>
  );
};
