import type { SignUpField } from "@latchkey/contracts";
import { matchLanguage } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import type { FieldProps } from "@latchkey/ui/form/use-form.ts";
import { CheckField, SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import { facts } from "../../facts.ts";
import { shownLanguage, useTranslation } from "../../languages.ts";
import { enteredFields, fieldLabel } from "./field-values.ts";

const inputTypes = { string: "text", number: "number", date: "date" } as const;

/** A language is written in itself. */
const choiceLabel = (name: string, value: string): string => {
  const language = name === "locale" ? matchLanguage(value) : undefined;
  return language ? languageFacts[language].name : value;
};

interface AdditionalFieldProps {
  field: SignUpField;
  control: FieldProps;
}

/** The control of an additional field of the installation. */
const AdditionalField = ({ field, control }: AdditionalFieldProps) => {
  const { type, name } = field;
  const label = fieldLabel(field, shownLanguage());
  if (type === "boolean") return <CheckField {...control} label={label} />;
  if (typeof type === "string")
    return <TextField {...control} label={label} type={inputTypes[type]} step="any" />;
  const choices = ["", ...type].map((value) => ({ value, label: choiceLabel(name, value) }));
  return <SelectField {...control} label={label} choices={choices} />;
};

type FieldPath = `fields.${string}`;

/** Returns the paths in forms of the additional fields that the server names. */
export const fieldPaths = (fields: readonly SignUpField[]): Readonly<Record<string, FieldPath>> =>
  Object.fromEntries(fields.map(({ name }) => [name, `fields.${name}` as const]));

/** The paths of the additional fields of users. */
export const additionalFieldPaths = fieldPaths(facts.fields);

interface AdditionalFieldsProps {
  field: (path: FieldPath, rules: { required: string | false }) => FieldProps;
  /** The fields, if not those of a sign-up. */
  fields?: readonly SignUpField[] | undefined;
  /** Leaves out the fields that may be empty. */
  onlyRequired?: boolean;
}

/** The controls of additional fields. */
export const AdditionalFields = (props: AdditionalFieldsProps) => {
  const { field: controlOf, onlyRequired } = props;
  const t = useTranslation("errors");
  const fields = props.fields ?? enteredFields(facts.fields, shownLanguage());
  return fields
    .filter(({ required }) => required || !onlyRequired)
    .map((field) => {
      const { name, required, type } = field;
      const isRequired = required && type !== "boolean";
      const control = controlOf(`fields.${name}`, { required: isRequired && t("required") });
      return <AdditionalField key={name} field={field} control={control} />;
    });
};
