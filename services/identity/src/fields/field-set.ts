import type { AdditionalField } from "@latchkey/contracts";
import { ConfigurationError } from "@latchkey/service-kit";
import { isOfType } from "./is-of-type.ts";
import { defaultOf, type NamedField, readField, requireField } from "./read-field.ts";

/** Values of additional fields, by name, as they are stored: JSON, dates as ISO text. */
export type FieldValues = Record<string, unknown>;

export interface FieldInput {
  /** What was sent; members that are no fields are passed by. */
  values: Readonly<Record<string, unknown>>;
  /** A creation fills in defaults and misses what is required; an update touches what was sent. */
  mode: "create" | "update";
  /** Set by an admin or by the application itself: fields that clients cannot set count too. */
  isTrusted?: boolean;
}

/** The configured additional fields of one kind of row. */
export interface FieldSet {
  /** Nothing is configured, so nothing is shown. */
  readonly isEmpty: boolean;
  /** What replies show of a row's values: every returned field, null where it is not set or was set as another type. */
  show(values: Readonly<FieldValues>): FieldValues;
  /** Checks what was sent and gives what to store; rejects with a `WireError` that names the field. */
  read(input: FieldInput): Promise<FieldValues>;
  /** What a row begins with that nobody sends anything for. */
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

/** The fields of the options, ready to check and show values. Throws a `ConfigurationError` for a default of another type. */
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
