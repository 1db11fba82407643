import type { SignUpField } from "@latchkey/contracts";
import type { FieldProps } from "@latchkey/ui/form/use-form.ts";
import { CheckField, SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import { facts } from "../../facts.ts";
import { shownLanguage, useTranslation } from "../../languages.ts";
import { enteredFields, fieldLabel } from "./field-values.ts";

const inputTypes = { string: "text", number: "number", date: "date" } as const;

interface AdditionalFieldProps {
  field: SignUpField;
  control: FieldProps;
}

/** The control of an additional field of the installation. */
const AdditionalField = ({ field: { type, name }, control }: AdditionalFieldProps) => {
  const label = fieldLabel(name);
  if (type === "boolean") return <CheckField {...control} label={label} />;
  if (typeof type === "string")
    return <TextField {...control} label={label} type={inputTypes[type]} step="any" />;
  const choices = ["", ...type].map((value) => ({ value, label: value }));
  return <SelectField {...control} label={label} choices={choices} />;
};

type FieldPath = `fields.${string}`;

/** The paths in forms of the additional fields that the server names. */
export const additionalFieldPaths: Readonly<Record<string, FieldPath>> = Object.fromEntries(
  facts.fields.map(({ name }) => [name, `fields.${name}` as const]),
);

interface AdditionalFieldsProps {
  field: (path: FieldPath, rules: { required: string | false }) => FieldProps;
  /** Leaves out the fields that may be empty. */
  onlyRequired?: boolean;
}

/** The controls of the additional fields that a sign-up may or must give. */
export const AdditionalFields = ({ field: controlOf, onlyRequired }: AdditionalFieldsProps) => {
  const t = useTranslation("errors");
  const fields = enteredFields(facts.fields, shownLanguage());
  return fields
    .filter(({ required }) => required || !onlyRequired)
    .map((field) => {
      const { name, required, type } = field;
      const isRequired = required && type !== "boolean";
      const control = controlOf(`fields.${name}`, { required: isRequired && t("required") });
      return <AdditionalField key={name} field={field} control={control} />;
    });
};
