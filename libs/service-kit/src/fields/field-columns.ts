import type { AdditionalField } from "@latchkey/contracts";

/**
 * Returns the SQL of an additional field's value. It is null if the row contains another type, so that no old row breaks
 * a view.
 */
const expressionOf = (name: string, { type }: AdditionalField): string => {
  const [json, text] = [`extra -> '${name}'`, `extra ->> '${name}'`];
  const whereType = (of: string, value: string) =>
    `case when jsonb_typeof(${json}) = '${of}' then ${value} end`;
  const listOf = (of: string, cast: string) =>
    whereType(
      "array",
      `array(select (item #>> '{}')${cast} from jsonb_array_elements(${json}) as item where jsonb_typeof(item) = '${of}')`,
    );
  if (type === "number") return whereType("number", `(${text})::numeric`);
  if (type === "boolean") return whereType("boolean", `(${text})::boolean`);
  if (type === "string[]") return listOf("string", "");
  if (type === "number[]") return listOf("number", "::numeric");
  if (type === "date")
    return `case when ${text} ~ '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z$' then (${text})::timestamptz end`;
  return text;
};

/** Returns the SQL of the values of additional fields by name, as the computed columns of a view. */
export const fieldColumns = (
  fields: Readonly<Record<string, AdditionalField>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, expressionOf(name, field)]),
  );
