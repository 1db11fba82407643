import {
  type AdditionalField,
  isPlainText,
  type ValidationIssue,
  WireError,
} from "@latchkey/contracts";

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

/** Maximum length of the JSON text of a unique value, because an index entry is limited. */
const uniqueLengthMax = 512;

export interface NamedField {
  name: string;
  field: AdditionalField;
}

const refuse = (name: string, message: string): never => {
  const issues: ValidationIssue[] = [{ path: name, message }];
  throw new WireError("VALIDATION_ERROR", { issues });
};

/** Rejects a request that lacks a required field. */
export const requireField = (name: string): never => {
  throw new WireError("FIELD_IS_REQUIRED", { message: `${name} is required` });
};

const isTooLong = ({ unique }: AdditionalField, value: unknown): boolean =>
  unique && JSON.stringify(value).length > uniqueLengthMax;

/**
 * Returns the stored form of a value that a function of the options returned. Throws if no reply could show it, because
 * that is a server error.
 */
const toStored = ({ name, field }: NamedField, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  if (!isOfType(field.type, value) || isTooLong(field, value))
    throw new TypeError(`The additional field ${name} was given a value that is not of its type`);
  return field.type === "date" ? new Date(value as string | Date).toISOString() : value;
};

/** Returns the value of a field that was not sent: its default, or null. */
export const defaultOf = async (named: NamedField): Promise<unknown> => {
  const { defaultValue } = named.field;
  return toStored(named, typeof defaultValue === "function" ? await defaultValue() : defaultValue);
};

const validate = async ({ name, field }: NamedField, sent: unknown): Promise<unknown> => {
  if (!isOfType(field.type, sent)) refuse(name, "is of another type");
  if (isTooLong(field, sent)) refuse(name, "is too long");
  const { input: validator } = field.validator ?? {};
  try {
    return validator?.parse ? await validator.parse(sent) : sent;
  } catch {
    return refuse(name, "is not valid");
  }
};

/** Returns the stored form of a sent value: checked by type, validated, then transformed. */
export const readField = async (named: NamedField, sent: unknown): Promise<unknown> => {
  const { name, field } = named;
  const { input: transform } = field.transform ?? {};
  const value = sent === null ? null : await validate(named, sent);
  const transformed = transform && value !== null ? await transform(value) : value;
  return toStored(named, transformed) ?? (field.required ? requireField(name) : null);
};
