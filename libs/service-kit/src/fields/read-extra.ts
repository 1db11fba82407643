import type { AdditionalField } from "@latchkey/contracts";
import { readTime } from "../import/read-given.ts";
import type { FieldValues } from "./field-set.ts";
import { isOfType } from "./read-field.ts";

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the value of an additional field from a column's text, or undefined if it is not of the field's type. */
const readField = ({ type }: AdditionalField, text: string): unknown => {
  const isText = type === "string" || Array.isArray(type);
  if (type === "date") {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : readTime(at)?.toISOString();
  }
  const truths: Record<string, unknown> = { t: true, f: false };
  const value = isText ? text : (truths[text] ?? parse(text));
  return isOfType(type, value) ? value : undefined;
};

/** The additional fields of a row of another database, as texts. */
interface GivenExtra {
  given: Readonly<Record<string, string | null>>;
  /** The values of fields that the other database does not have. */
  defaults: FieldValues;
  note: (reason: string) => void;
}

/** Returns the additional fields of an imported row in stored form. Notes the names of those whose value has the wrong type. */
export const readExtra = (
  fields: Readonly<Record<string, AdditionalField>>,
  { given, defaults, note }: GivenExtra,
): FieldValues => {
  const extra: FieldValues = { ...defaults };
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(given, name)) continue;
    const text = given[name] ?? null;
    const value = text === null ? null : readField(field, text);
    extra[name] = value ?? null;
    if (value === undefined) note(`its ${name} is not of the type of the additional field`);
  }
  return extra;
};
