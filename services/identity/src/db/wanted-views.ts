import type { AdditionalField } from "@latchkey/contracts";
import type { WantedView } from "@latchkey/service-kit/custom-names";
import type { IdentityConfig } from "../config.ts";

const tables = ["user", "session", "account", "verification"] as const;

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

/** Returns the views of the options: one for each table with a name of the application's own. */
export const wantedViews = (config: IdentityConfig): WantedView[] =>
  tables.flatMap((table) => {
    const { modelName, fields } = config[table];
    if (modelName === undefined) return [];
    const additional =
      table === "user" || table === "session" ? config.additionalFields[table] : {};
    const computed = Object.fromEntries(
      Object.entries(additional).map(([name, field]) => [name, expressionOf(name, field)]),
    );
    return [{ table, option: table, name: modelName, names: fields, computed }];
  });
