import type { AdditionalField } from "@latchkey/contracts";

/** Returns the set additional fields of type date as `Date`, because JSON carries them as text. */
export const timesOf = (
  fields: Readonly<Record<string, AdditionalField>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, Date> => {
  const times: Record<string, Date> = {};
  for (const [name, { type }] of Object.entries(fields)) {
    const value = values[name];
    if (type === "date" && typeof value === "string") times[name] = new Date(value);
  }
  return times;
};
