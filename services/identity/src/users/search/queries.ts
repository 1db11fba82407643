import {
  containsAddress,
  containsFolded,
  containsText,
  endsWithText,
  startsWithText,
  type ListKey,
  type ListLead,
  looseScan,
} from "@latchkey/service-kit/lists";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Condition, ConditionValue } from "./read-condition.ts";
import { goesByPairs } from "./search-rules.ts";
import { schema } from "../../db/schema.ts";
import type { Column } from "./columns.ts";

type Truth = RawBuilder<SqlBool>;
type WithOneValue = Omit<Condition, "value"> & { value: ConditionValue };

const equal = ({ column, value }: WithOneValue): Truth => {
  const stored = valueSql(column);
  if (value === null) return sql`${stored} is null`;
  // Only the key of a name has an index.
  return column.type === "name"
    ? sql`(${stored} = ${value} and ${keySql(column)} = ${keyOfSql(column, value)})`
    : sql`${stored} = ${value}`;
};

/** Null counts as another value. Uses two ranges, because no index supports an inequality. */
const unequal = ({ column, value }: WithOneValue): Truth => {
  const stored = valueSql(column);
  return value === null
    ? sql`${stored} is not null`
    : sql`(${stored} < ${value} or ${stored} > ${value} or ${stored} is null)`;
};

const oneOf = ({ column, value }: Condition): Truth => {
  const values = [value].flat();
  const present = values.filter((one) => one !== null);
  const stored = valueSql(column);
  const any: Truth = sql`${stored} = any(${present}::${typeSql(column)}[])`;
  return present.length === values.length ? any : sql`(${any} or ${stored} is null)`;
};

const compared =
  (operator: string) =>
  ({ column, value }: WithOneValue): Truth =>
    sql`${keySql(column)} ${sql.raw(operator)} ${keyOfSql(column, value)}`;

/** Matches a prefix by the keys if it fits into a key. Lower case may be longer than the given text. */
const begins = ({ column, value }: WithOneValue): Truth => {
  const isWithinKeys = column.type !== "id" && String(value).length * 2 <= keyLength;
  return startsWithText(isWithinKeys ? keySql(column) : lowerSql(column), String(value));
};

/** Names match whatever their accents are, unless the index of pairs of letters finds them. */
const contains = (condition: WithOneValue): Truth => {
  const { column, value } = condition;
  if (column.type === "texts" || column.type === "numbers")
    return sql`${valueSql(column)} @> ${JSON.stringify(value)}::jsonb`;
  return column.type === "name" && !goesByPairs(condition)
    ? containsFolded(schema, valueSql(column), String(value))
    : containsText(lowerSql(column), String(value));
};

const ends = ({ column, value }: WithOneValue): Truth =>
  endsWithText(lowerSql(column), String(value));

/** The expression must be that of the index. */
const hasRole = ({ column, value }: WithOneValue): Truth =>
  sql`string_to_array(${valueSql(column)}, ',') @> array[${value}]::text[]`;

const builders = {
  eq: equal,
  ne: unequal,
  lt: compared("<"),
  lte: compared("<="),
  gt: compared(">"),
  gte: compared(">="),
  contains,
  starts_with: begins,
  ends_with: ends,
  has: hasRole,
};

/** Returns the SQL of a condition on rows. */
export const conditionSql = (condition: Condition): Truth => {
  const { operator } = condition;
  if (operator === "in") return oneOf(condition);
  return builders[operator](condition as WithOneValue); // only `in` has several values
};

const pairsOf = (text: Sql): Sql => sql`${sql.id(schema, "letter_pairs")}(${text})`;

/** Returns the same condition in a form for which an index finds few rows. */
export const selectiveSql = (condition: Condition): Truth => {
  const { column, operator, value } = condition;
  const text = lowerSql(column);
  if (goesByPairs(condition))
    return sql`(${pairsOf(text)} @> ${pairsOf(sql`lower(${value})`)} and ${conditionSql(condition)})`;
  return column.type === "email" && operator === "contains"
    ? containsAddress(text, String(value))
    : conditionSql(condition);
};

type KeyType = ListKey["type"];

type Sql = RawBuilder<unknown>;

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
const valueSql = (column: Column): Sql =>
  column.isField ? sql`(${fieldSql(column)})` : (column.computed ?? sql.ref(column.name));

/** A text in lower case, as searches use it. */
const lowerSql = (column: Column): Sql =>
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
const keyOfSql = ({ type }: Column, value: unknown): Sql =>
  ["name", "role", "text"].includes(type) ? placeOf(sql`${value}`) : sql`${value}`;

/** The type of a column's sort key. The text of a time in an additional field is not cast, because it may be no time. */
export const keyTypeOf = ({ type, isField }: Column): KeyType => {
  if (type === "boolean" || type === "number") return type;
  return type === "date" && !isField ? "time" : "text";
};

const typeNames = { boolean: "boolean", number: "numeric", text: "text", time: "timestamptz" };

/** The type of a column's values. */
const typeSql = (column: Column): Sql => sql.raw(typeNames[keyTypeOf(column)]);

const user = sql.id(schema, "user");

/** Must be the expression of the index. Validated addresses have one `@`. */
const domain = sql`(split_part(email, '@', 2) collate "C")`;

/** The distinct role texts that contain a role. They are few, because roles are configured. */
const leadOfRole = (condition: Condition): ListLead => {
  const present = looseScan({ table: user, fixed: [], columns: [sql`role`] });
  return {
    columns: [sql`role`],
    values: sql`
      select role from (select value0 as role from (${present}) as present) as present
      where ${conditionSql(condition)}`,
  };
};

const leadOfDomain = (prefix: string): ListLead => ({
  columns: [domain],
  values: looseScan({ table: user, fixed: [], columns: [domain], prefix }),
});

/** Matches a search for a domain with its first label. Only few domains begin with that. */
const domainTerm = /^@([^@.]+\.[^@]*)$/;

/** Returns the index with which users who match a condition can be read in this order, if there is one. */
export const leadOfCondition = (condition: Condition, sortBy: string): ListLead | undefined => {
  const { column, operator, value } = condition;
  const isRole = column.type === "role" && operator === "has";
  if (isRole && (sortBy === "createdAt" || sortBy === "name")) return leadOfRole(condition);
  if (sortBy !== "createdAt") return undefined;
  const prefix =
    column.type === "email" && operator === "contains" && domainTerm.exec(String(value))?.[1];
  return prefix ? leadOfDomain(prefix) : undefined;
};
