import { isLegacySealed, openLegacyValue } from "@latchkey/crypto";
import type { AdditionalField } from "@latchkey/contracts";
import { readTime } from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { isOfType } from "../fields/read-field.ts";
import type { FieldValues } from "../fields/field-set.ts";

/** The result of opening sealed values of another database with the secret. */
export type SecretVerdict = "fits" | "differs" | "unknown";

/** Returns whether the secret has sealed these values, or `unknown` if none of them is sealed. */
export const checkSecret = (
  { ring }: Pick<Deps, "ring">,
  values: readonly string[],
): SecretVerdict => {
  const bare = values.map((value) => value.replaceAll('"', ""));
  const sealed = bare.filter(isLegacySealed);
  if (sealed.length === 0) return "unknown";
  return sealed.some((value) => openLegacyValue(ring, value) !== undefined) ? "fits" : "differs";
};

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

/** Returns the additional fields in stored form, and the names of those whose value has the wrong type. */
export const readExtra = (
  fields: Readonly<Record<string, AdditionalField>>,
  given: Readonly<Record<string, string | null>>,
  defaults: FieldValues,
): { extra: FieldValues; unfit: string[] } => {
  const extra: FieldValues = { ...defaults };
  const unfit: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(given, name)) continue;
    const text = given[name] ?? null;
    const value = text === null ? null : readField(field, text);
    extra[name] = value ?? null;
    if (value === undefined) unfit.push(name);
  }
  return { extra, unfit };
};
