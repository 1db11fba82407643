import { type AdditionalField, isPlainText } from "@latchkey/contracts";

const textLengthMax = 65_536;

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= textLengthMax && isPlainText(value);

const isoDate = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Between the years 1 and 9999, which Postgres and ISO 8601 write alike. */
const isMoment = (moment: Date): boolean =>
  !Number.isNaN(moment.getTime()) && /^(?!0000)\d{4}-/.test(moment.toISOString());

/**
 * Returns whether a value is ISO text of a time with its zone, or of a day. Rejects 30 February, which `Date` reads as 2
 * March.
 */
const isDate = (value: unknown): boolean => {
  if (value instanceof Date) return isMoment(value);
  const day = typeof value === "string" ? isoDate.exec(value)?.[1] : undefined;
  if (day === undefined || !isMoment(new Date(day))) return false;
  return new Date(day).toISOString().startsWith(day) && isMoment(new Date(value as string));
};

/** Returns whether a JSON value is of a field's type. A list as the type contains the allowed texts. */
export const isOfType = (type: AdditionalField["type"], value: unknown): boolean => {
  if (Array.isArray(type)) return typeof value === "string" && type.includes(value);
  switch (type) {
    case "string":
      return isText(value);
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return isDate(value);
    case "string[]":
      return Array.isArray(value) && value.every(isText);
    default:
      return Array.isArray(value) && value.every(Number.isFinite);
  }
};
