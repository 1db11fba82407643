import { Refusal } from "../terminal/refusal.ts";
import { columnSql, type SourceTable } from "./source-tables.ts";

/** How the values of a field are read. Times become milliseconds since the Unix epoch. `any` is text of any type. */
export type FieldKind = "text" | "time" | "boolean" | "number" | "any";

const times = new Set(["timestamp with time zone", "timestamp without time zone", "date"]);

const timeSql = (
  sql: string,
  { type, timeZone, name }: { type: string; timeZone: string; name: string },
) => {
  if (!times.has(type)) throw new Refusal(`the column ${name} is not a time, but ${type}.`);
  const zone = `'${timeZone.replaceAll("'", "''")}'`;
  const at = type === "timestamp with time zone" ? sql : `(${sql}::timestamp at time zone ${zone})`;
  return `case when isfinite(${sql}) then floor(extract(epoch from ${at}) * 1000)::double precision end`;
};

/** Returns the SQL of a field's value, `null` if the table has no such column. */
export const fieldSql = (
  table: SourceTable,
  field: string,
  { kind, timeZone }: { kind: FieldKind; timeZone: string },
): string => {
  const column = table.columnOf(field);
  const type = column === undefined ? undefined : table.columns.get(column);
  if (column === undefined || type === undefined)
    return (
      { text: "null::text", any: "null::text", boolean: "null::boolean" }[kind as string] ??
      "null::double precision"
    );
  const sql = columnSql(column);
  switch (kind) {
    case "time":
      return timeSql(sql, { type, timeZone, name: `${table.name}.${column}` });
    case "boolean":
      return type === "boolean" ? sql : `(${sql}::text in ('1', 't', 'true'))`;
    case "number":
      return `${sql}::double precision`;
    case "any":
      return `(to_jsonb(${sql}) #>> '{}')`;
    default:
      return `${sql}::text`;
  }
};

/** Returns the SQL of whether another table has the referenced row. Uses its index if both columns have one type. */
export const existsSql = (
  table: SourceTable,
  field: string,
  other: SourceTable | undefined,
): string => {
  const [column, id] = [table.columnOf(field), other?.columnOf("id")];
  if (!other || column === undefined || id === undefined) return "false";
  const isAlike = table.columns.get(column) === other.columns.get(id);
  const cast = isAlike ? "" : "::text";
  return `exists (select from ${other.sql} o where ${columnSql(id, "o")}${cast} = ${columnSql(column)}${cast})`;
};
