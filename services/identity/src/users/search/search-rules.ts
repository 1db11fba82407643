import type { ColumnType } from "./columns.ts";
import type { Condition, Operator } from "./read-condition.ts";

const patterns: ReadonlySet<Operator> = new Set(["contains", "starts_with", "ends_with"]);
const byNoOrder: ReadonlySet<Operator> = new Set(["contains", "ends_with", "has"]);
const searched: ReadonlySet<ColumnType> = new Set(["email", "name", "role"]);
const knownTypes: ReadonlySet<ColumnType> = new Set(["email", "name"]);

/** Returns whether an index finds the rows unordered, so that all matches must be collected to be counted or sorted. */
export const isSearch = ({ column, operator }: Condition): boolean =>
  searched.has(column.type) && byNoOrder.has(operator);

/**
 * Returns whether statistics reliably predict the number of matches: enough values are kept, and addresses and names do
 * not change by the thousands at once, as roles may.
 */
export const isWellKnown = ({ column, operator }: Condition): boolean =>
  knownTypes.has(column.type) && patterns.has(operator);

const runs = {
  contains: /[\p{L}\p{N}]{3}/u,
  // The end of a word counts as a letter.
  ends_with: /[\p{L}\p{N}]{2}$/u,
};

/**
 * Returns whether a search uses pairs of letters, because its term is too short for trigrams or has too few letters in a
 * row. One of several words needs no index, because another one has it.
 */
export const goesByPairs = (condition: Condition): boolean => {
  const { column, operator, value, isOneOfWords = false } = condition;
  const isIndexed = isSearch(condition) && knownTypes.has(column.type);
  if (isOneOfWords || !isIndexed || typeof value !== "string") return false;
  const run = operator === "contains" ? runs.contains : runs.ends_with;
  return [...value].length > 1 && !run.test(value);
};
