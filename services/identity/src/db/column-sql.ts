import type { ListKey } from "@latchkey/service-kit";
import { type RawBuilder, sql } from "kysely";
import type { Column } from "../users/search/columns.ts";

type KeyType = ListKey["type"];

export type Sql = RawBuilder<unknown>;

/** Characters of a text that determine its position. Index entries and cursors have a maximum length. */
export const keyLength = 100;

const ofJsonType = (type: string, json: Sql, value: Sql): Sql =>
  sql`case when jsonb_typeof(${json}) = ${sql.lit(type)} then ${value} end`;

/** The value of an additional field, or null if the stored value does not have the configured type. */
const fieldSql = ({ name, type }: Column): Sql => {
  const json = sql`extra -> ${sql.lit(name)}`;
  const text = sql`extra ->> ${sql.lit(name)}`;
  switch (type) {
    case "number":
      return ofJsonType("number", json, sql`(${text})::numeric`);
    case "boolean":
      return ofJsonType("boolean", json, sql`(${text})::boolean`);
    case "date":
      // Compared as text, because a value that another program wrote may be no valid time.
      return sql`case when ${text} ~ '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z$' then ${text} end collate "C"`;
    case "texts":
    case "numbers":
      return ofJsonType("array", json, json);
    default:
      return ofJsonType("string", json, text);
  }
};

/** The value of a column. */
export const valueSql = (column: Column): Sql =>
  column.isField ? sql`(${fieldSql(column)})` : (column.computed ?? sql.ref(column.name));

/** A text in lower case, as searches use it. */
export const lowerSql = (column: Column): Sql =>
  column.type === "email" ? valueSql(column) : sql`lower(${valueSql(column)})`;

/** The beginning of a text by code point, so that an index supports prefixes and the locale does not matter. */
const placeOf = (text: Sql): Sql => sql`left(lower(${text}), ${sql.lit(keyLength)}) collate "C"`;

/** The sort key of a row: the beginning of a text, case-insensitive. */
export const keySql = (column: Column): Sql => {
  switch (column.type) {
    case "email":
      return sql.ref("emailKey");
    case "name":
      return sql.ref("nameKey");
    case "role":
    case "text":
      return placeOf(valueSql(column));
    case "texts":
    case "numbers":
      return placeOf(sql`${valueSql(column)}::text`);
    default:
      return valueSql(column);
  }
};

/** The sort key for a given value of the column. */
export const keyOfSql = ({ type }: Column, value: unknown): Sql =>
  ["name", "role", "text"].includes(type) ? placeOf(sql`${value}`) : sql`${value}`;

/** The type of a column's sort key. The text of a time in an additional field is not cast, because it may be no time. */
export const keyTypeOf = ({ type, isField }: Column): KeyType => {
  if (type === "boolean" || type === "number") return type;
  return type === "date" && !isField ? "time" : "text";
};

const typeNames = { boolean: "boolean", number: "numeric", text: "text", time: "timestamptz" };

/** The type of a column's values. */
export const typeSql = (column: Column): Sql => sql.raw(typeNames[keyTypeOf(column)]);
