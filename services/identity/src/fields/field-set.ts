import type { AdditionalField, AdditionalFields } from "@latchkey/contracts";
import { ConfigurationError } from "@latchkey/service-kit/config";
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
  /** True if no fields are configured. */
  readonly isEmpty: boolean;
  /** Returns the values that replies show: every returned field, or null if it is missing or has another type. */
  show(values: Readonly<FieldValues>): FieldValues;
  /** Validates the sent values and returns those to store. Rejects with a `WireError` that names the field. */
  read(input: FieldInput): Promise<FieldValues>;
  /** Returns the initial values of a row without sent values. */
  defaults(): Promise<FieldValues>;
}

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
  return {
    isEmpty: fields.length === 0,
    show: (values) =>
      Object.fromEntries(
        returned.map(({ name, field }) => [name, shown(field.type, values[name])]),
      ),
    read: (input) => collect((named) => readOne(named, input)),
    defaults: () => collect(async (named) => ({ [named.name]: await defaultOf(named) })),
  };
};

/** The fields of users and sessions. */
export const createFieldSets = ({ user, session }: AdditionalFields) => ({
  user: createFieldSet(user),
  session: createFieldSet(session),
});
