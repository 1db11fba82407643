import { type AdditionalField, type ValidationIssue, WireError } from "@latchkey/contracts";
import { isOfType } from "./is-of-type.ts";

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
