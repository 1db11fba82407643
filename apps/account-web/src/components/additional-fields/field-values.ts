import type { SignUpField } from "@latchkey/contracts";

type Value = string | number | boolean;

const valueOf = ({ type }: SignUpField, given: string | boolean): Value => {
  if (typeof given === "boolean") return given;
  return type === "number" ? Number(given) : given;
};

/** Texts of additional fields, by name. */
export type FieldTexts = Record<string, string | boolean | undefined>;

const primary = (tag: string) => tag.split(/[-_]/, 1)[0];

/** Returns the value of the field that has the language of a user's mails. Undefined for all other fields. */
const localeOf = ({ name, type }: SignUpField, language: string): string | undefined => {
  if (name !== "locale") return undefined;
  if (typeof type !== "string") return type.find((tag) => primary(tag) === primary(language));
  return type === "string" ? language : undefined;
};

/** Returns the fields that the user has to fill in. The language that is shown says which one the user reads. */
export const enteredFields = (
  fields: readonly SignUpField[],
  language: string,
): readonly SignUpField[] => fields.filter((field) => localeOf(field, language) === undefined);

/** Returns the values of additional fields as the sign-up takes them. Leaves out what is empty. */
export const fieldValues = (
  fields: readonly SignUpField[],
  given: Readonly<FieldTexts>,
  language: string,
): Record<string, Value> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = localeOf(field, language) ?? given[field.name];
      return value === undefined || value === "" ? [] : [[field.name, valueOf(field, value)]];
    }),
  );

/** Returns the label of a field: its name in words. */
export const fieldLabel = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
