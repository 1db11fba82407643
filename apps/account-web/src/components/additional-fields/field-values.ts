import type { SignUpField } from "@latchkey/contracts";
import { type Language, languages, matchLanguage } from "@latchkey/contracts/languages.ts";

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

/**
 * Returns the values of additional fields as a creation takes them. Leaves out what is empty. The language that is shown is given for a
 * user, whose mails it decides.
 */
export const fieldValues = (
  fields: readonly SignUpField[],
  given: Readonly<FieldTexts>,
  language?: string,
): Record<string, Value> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const locale = language === undefined ? undefined : localeOf(field, language);
      const value = locale ?? given[field.name];
      return value === undefined || value === "" ? [] : [[field.name, valueOf(field, value)]];
    }),
  );

/** A user as sessions contain it, or an object of an organization, with the additional fields. */
type Stored = Readonly<Record<string, unknown>>;

const withLanguages = (field: SignUpField): SignUpField =>
  field.name === "locale" && field.type === "string" ? { ...field, type: languages } : field;

/** Returns the fields that the profile shows. The language of mails is one of those that exist. */
export const profileFields = (fields: readonly SignUpField[]): readonly SignUpField[] =>
  fields.filter(({ returned }) => returned).map(withLanguages);

const textOf = ({ name, type }: SignUpField, value: unknown): string | boolean => {
  if (type === "boolean") return value === true;
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (type === "date") return text.slice(0, 10);
  if (name !== "locale" || typeof type === "string") return text;
  return type.find((tag) => tag === text) ?? matchLanguage(text) ?? "";
};

/** Returns the values of a user as texts of controls. */
export const storedTexts = (fields: readonly SignUpField[], user: Stored): FieldTexts =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(field, user[field.name])]));

/** Returns the values that differ from those of a user, as an update takes them. An empty one removes the value. */
export const changedValues = (
  fields: readonly SignUpField[],
  given: Readonly<FieldTexts>,
  user: Stored,
): Record<string, Value | null> => {
  const stored = storedTexts(fields, user);
  const changed = fields.flatMap((field) => {
    const text = given[field.name];
    if (text === undefined || text === stored[field.name]) return [];
    return [[field.name, text === "" ? null : valueOf(field, text)] as const];
  });
  return Object.fromEntries(changed);
};

/** Returns the label of a field: the configured one, else its name in words. */
export const fieldLabel = (
  { name, label }: Pick<SignUpField, "label" | "name">,
  language: Language,
): string => {
  const configured = typeof label === "object" ? (label[language] ?? label.en) : label;
  if (configured !== undefined) return configured;
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
