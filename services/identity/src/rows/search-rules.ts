import type { ColumnType } from "./columns.ts";
import type { Condition, Operator } from "./read-condition.ts";

const patterns: ReadonlySet<Operator> = new Set(["contains", "starts_with", "ends_with"]);
const byNoOrder: ReadonlySet<Operator> = new Set(["contains", "ends_with", "has"]);
const searched: ReadonlySet<ColumnType> = new Set(["email", "name", "role"]);
const known: ReadonlySet<ColumnType> = new Set(["email", "name"]);

/** Whether an index finds the rows in no order: those that fit must be gathered to be counted or sorted. */
export const isSearch = ({ column, operator }: Condition): boolean =>
  searched.has(column.type) && byNoOrder.has(operator);

/**
 * Whether statistics tell reliably how many rows fit: enough values are kept, and nobody changes the addresses or names of
 * thousands at once, as they may roles.
 */
export const isWellKnown = ({ column, operator }: Condition): boolean =>
  known.has(column.type) && patterns.has(operator);

const runs = {
  contains: /[\p{L}\p{N}]{3}/u,
  // The end of a word counts as a letter.
  ends_with: /[\p{L}\p{N}]{2}$/u,
};

/** Whether a search goes by pairs of letters, as its term is too short for trigrams, or has too little of words. */
export const goesByPairs = (condition: Condition): boolean => {
  const { column, operator, value } = condition;
  if (!isSearch(condition) || !known.has(column.type) || typeof value !== "string") return false;
  const run = operator === "contains" ? runs.contains : runs.ends_with;
  return [...value].length > 1 && !run.test(value);
};

/**
 * The part of a searched address that an index finds it by: the letters before the `@`, with it. What follows is that of
 * half of all users, and each common trigram costs a look into the index; shorter ones, as `info`, have many. Undefined for
 * other searches.
 */
export const localPart = (condition: Condition): string | undefined => {
  const { column, operator, value } = condition;
  if (column.type !== "email" || operator !== "contains") return undefined;
  return /^[^@]*?([^@]{6,12}@)./su.exec(String(value))?.[1];
};
