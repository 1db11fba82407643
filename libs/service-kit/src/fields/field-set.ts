import type { AdditionalField } from "@latchkey/contracts";
import { sql } from "kysely";
import { ConfigurationError } from "../config/configuration-error.ts";
import { isOfType, defaultOf, type NamedField, readField, requireField } from "./read-field.ts";

/** Values of additional fields, by name, in stored form: JSON, with dates as ISO text. */
export type FieldValues = Record<string, unknown>;

export interface FieldInput {
  /** The sent values. Members that are not fields are ignored. */
  values: Readonly<Record<string, unknown>>;
  /** A creation fills in defaults and requires required fields. An update changes only what was sent. */
  mode: "create" | "update";
  /** True for admins and the application itself, who may also set fields that clients cannot. */
  isTrusted?: boolean;
}

/** The configured additional fields of one kind of row. */
export interface FieldSet {
  /** Returns the values that replies show: every returned field, or null if it is missing or has another type. */
  show(values: Readonly<FieldValues>): FieldValues;
  /** Adds those values to the shown members of a row. */
  addTo<Shown extends object>(shown: Shown, values: Readonly<FieldValues>): Shown;
  /** Validates the sent values and returns those to store. Rejects with a `WireError` that names the field. */
  read(input: FieldInput): Promise<FieldValues>;
  /** Returns the initial values of a row without sent values. */
  defaults(): Promise<FieldValues>;
}

/** Returns the SQL of a row's additional fields with some of them changed. The others may change concurrently. */
export const mergeFields = (changed: FieldValues) =>
  sql<string>`extra || ${JSON.stringify(changed)}::jsonb`;

/** Returns changed additional fields for the audit. They may hold anything, so the audit records only that they changed. */
export const auditedFields = (changed: FieldValues | undefined): { extra?: FieldValues } =>
  changed
    ? { extra: Object.fromEntries(Object.keys(changed).map((name) => [name, "changed"])) }
    : {};

const readOne = async (
  named: NamedField,
  { values, mode, isTrusted = false }: FieldInput,
): Promise<FieldValues> => {
  const { name, field } = named;
  const isGiven = (field.input || isTrusted) && Object.hasOwn(values, name);
  const sent = isGiven ? values[name] : undefined;
  if (sent !== undefined) return { [name]: await readField(named, sent) };
  if (mode === "update") return {};
  const fallback = await defaultOf(named);
  if (fallback === null && field.required && field.input) requireField(name);
  return { [name]: fallback };
};

const checkDefault = ({ name, field: { type, defaultValue } }: NamedField): string[] =>
  defaultValue === undefined || typeof defaultValue === "function" || isOfType(type, defaultValue)
    ? []
    : [`additionalFields.${name}.defaultValue: is not of the type of the field`];

/** Creates the fields of the options. Throws a `ConfigurationError` for a default of another type. */
export const createFieldSet = (configured: Readonly<Record<string, AdditionalField>>): FieldSet => {
  const fields = Object.entries(configured).map(([name, field]) => ({ name, field }));
  const problems = fields.flatMap(checkDefault);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const returned = fields.filter(({ field }) => field.returned);
  const shown = (type: AdditionalField["type"], value: unknown) =>
    isOfType(type, value) ? value : null;
  const collect = async (read: (named: NamedField) => Promise<FieldValues>) => {
    const values: FieldValues = {};
    for (const named of fields) Object.assign(values, await read(named));
    return values;
  };
  const show = (values: Readonly<FieldValues>): FieldValues =>
    Object.fromEntries(returned.map(({ name, field }) => [name, shown(field.type, values[name])]));
  return {
    show,
    addTo: (members, values) => (fields.length === 0 ? members : { ...members, ...show(values) }),
    read: (input) => collect((named) => readOne(named, input)),
    defaults: () => collect(async (named) => ({ [named.name]: await defaultOf(named) })),
  };
};

/** Creates the fields of several kinds of rows. */
export const createFieldSets = <Kind extends string>(
  configured: Readonly<Record<Kind, Readonly<Record<string, AdditionalField>>>>,
): Record<Kind, FieldSet> =>
  Object.fromEntries(
    Object.entries<Readonly<Record<string, AdditionalField>>>(configured).map(([kind, fields]) => [
      kind,
      createFieldSet(fields),
    ]),
  ) as Record<Kind, FieldSet>; // the kinds are those of the configuration
