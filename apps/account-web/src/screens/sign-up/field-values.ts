import type { SignUpField } from "@latchkey/contracts";

type Value = string | number | boolean;

const valueOf = ({ type }: SignUpField, given: string | boolean): Value => {
  if (typeof given === "boolean") return given;
  return type === "number" ? Number(given) : given;
};

/** Returns the values of additional fields as the sign-up takes them. Leaves out what is empty. */
export const fieldValues = (
  fields: readonly SignUpField[],
  given: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, Value> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = given[field.name];
      return value === undefined || value === "" ? [] : [[field.name, valueOf(field, value)]];
    }),
  );

/** Returns the label of a field: its name in words. */
export const fieldLabel = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
