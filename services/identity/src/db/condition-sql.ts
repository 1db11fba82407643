import { containsAddress, containsText, endsWithText, startsWithText } from "@latchkey/service-kit";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Condition, ConditionValue } from "../users/search/read-condition.ts";
import { goesByPairs } from "../users/search/search-rules.ts";
import {
  keyLength,
  keyOfSql,
  keySql,
  lowerSql,
  type Sql,
  typeSql,
  valueSql,
} from "./column-sql.ts";
import { schema } from "./schema.ts";

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
  const given = values.filter((one) => one !== null);
  const stored = valueSql(column);
  const any: Truth = sql`${stored} = any(${given}::${typeSql(column)}[])`;
  return given.length === values.length ? any : sql`(${any} or ${stored} is null)`;
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

const contains = ({ column, value }: WithOneValue): Truth =>
  column.type === "texts" || column.type === "numbers"
    ? sql`${valueSql(column)} @> ${JSON.stringify(value)}::jsonb`
    : containsText(lowerSql(column), String(value));

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
