import { comparableEmail, emailSearchTerm } from "@latchkey/contracts";
import { isOfType } from "@latchkey/service-kit/fields";
import type { Column, ColumnType } from "./columns.ts";

export type Operator =
  | "eq"
  | "ne"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "in"
  | "contains"
  | "starts_with"
  | "ends_with"
  | "has";

export type ConditionValue = string | number | boolean | Date | null;

/**
 * A condition on rows. `has` matches one of the roles in a row's text. Only `in` has a list of values. Only `eq`, `ne`
 * and `in` compare with null. A date of an additional field is ISO text, as stored.
 */
export interface Condition {
  column: Column;
  operator: Operator;
  value: ConditionValue | readonly ConditionValue[];
  /** Whether the value is one of several words, all of which must match. The trigram index finds one of them. */
  isOneOfWords?: boolean;
}

/** A requested condition. `value` is of JSON's types, with dates as ISO text. */
export interface AskedCondition {
  column: Column;
  operator: Operator;
  value: unknown;
  /** Throws an error with the reason. */
  refuse: (problem: string) => never;
}

const jsonTypes = {
  id: "string",
  email: "string",
  name: "string",
  phone: "string",
  role: "string",
  text: "string",
  boolean: "boolean",
  number: "number",
  date: "date",
  texts: "string",
  numbers: "number",
} as const satisfies Record<ColumnType, string>;

const patternTypes: ReadonlySet<ColumnType> = new Set([
  "id",
  "email",
  "name",
  "phone",
  "role",
  "text",
]);
const patterns: ReadonlySet<Operator> = new Set(["contains", "starts_with", "ends_with"]);
const takingNull: ReadonlySet<Operator> = new Set(["eq", "ne", "in"]);

const fits = ({ type }: Column, operator: Operator): boolean => {
  if (operator === "has") return type === "role";
  return type === "texts" || type === "numbers"
    ? operator === "contains"
    : !patterns.has(operator) || patternTypes.has(type);
};

const readMoment = (value: string, { isField }: Column): Date | string => {
  const moment = new Date(value);
  return isField ? moment.toISOString() : moment;
};

const readValue = ({ column, operator, refuse }: AskedCondition, value: unknown) => {
  const { type } = column;
  if (value === null && takingNull.has(operator)) return null;
  if (!isOfType(jsonTypes[type], value)) return refuse("is of another type");
  if (type === "date") return readMoment(value as string, column); // checked by `isOfType`
  const read = value as Exclude<ConditionValue, Date | null>;
  if (type === "phone" && typeof read === "string") return read.replaceAll(/[^\d+]/g, "");
  if (type !== "email" || typeof read !== "string") return read;
  return patterns.has(operator) ? emailSearchTerm(read) : comparableEmail(read);
};

/** Returns a condition whose value has its column's type. The value of an `in` must be an array. */
export const readCondition = (asked: AskedCondition): Condition => {
  const { column, operator, value } = asked;
  if (!fits(column, operator)) asked.refuse("has no such comparison");
  return {
    column,
    operator,
    value:
      operator === "in" && Array.isArray(value)
        ? value.map((one) => readValue(asked, one))
        : readValue(asked, value),
  };
};
