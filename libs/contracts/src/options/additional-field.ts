import { z } from "zod";
import { languages } from "../languages.ts";
import { functionOption } from "./option.ts";

/** The stored value of an additional field. */
export type FieldValue = string | number | boolean | string[] | number[] | null;

const fieldType = z.union([
  z.enum(["string", "number", "boolean", "date", "string[]", "number[]"]),
  z.array(z.string()).min(1),
]);

/** An additional field of a user or session. */
const additionalField = z.strictObject({
  /** A list of texts is an enumeration of the accepted values. */
  type: fieldType,
  required: z.boolean().default(true),
  /** False: clients cannot set it and get the default. */
  input: z.boolean().default(true),
  /** False: no reply includes it. */
  returned: z.boolean().default(true),
  unique: z.boolean().default(false),
  /** The label in the account web, for all languages or by language. */
  label: z.union([z.string(), z.partialRecord(z.enum(languages), z.string())]).optional(),
  defaultValue: z
    .union([
      z.string(),
      z.number(),
      z.boolean(),
      z.array(z.string()),
      z.array(z.number()),
      functionOption<() => unknown>(),
    ])
    .optional(),
  validator: z
    .strictObject({
      input: z
        .custom<{ parse?: (value: unknown) => unknown }>(
          (schema) => typeof (schema as { parse?: unknown } | null)?.parse === "function",
          "must be a schema with `parse`",
        )
        .optional(),
    })
    .optional(),
  transform: z
    .strictObject({ input: functionOption<(value: unknown) => unknown>().optional() })
    .optional(),
});
export type AdditionalField = z.output<typeof additionalField>;

/** The object that has additional fields. */
interface FieldOwner {
  of: string;
  /** Names that a field cannot have, because the objects or requests that carry it already use them. */
  reservedNames: ReadonlySet<string>;
}

const recordOf = <Field extends z.ZodType>(
  { of, reservedNames }: FieldOwner,
  field: Field,
  members: string,
) =>
  z
    .record(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]{0,62}$/, "must be letters and digits, a letter first")
        .refine((name) => !reservedNames.has(name), "is a field already"),
      field,
    )
    .default({})
    .describe(
      `Additional fields of ${of}, by name: \`{ ${members} }\`. Clients may set a field unless its \`input\` is false, so turn it off for fields that grant anything.`,
    );

const members =
  "type, required, input, returned, unique, label, defaultValue, validator, transform";

/** The additional fields of rows in Postgres. */
export const additionalFields = (owner: FieldOwner) => recordOf(owner, additionalField, members);

/** Those of sessions, which may be stored in Redis, where nothing is unique. No page shows them. */
export const sessionFields = (owner: FieldOwner) =>
  recordOf(
    owner,
    additionalField.omit({ label: true }).extend({ unique: z.literal(false).default(false) }),
    members.replace(" label,", ""),
  );

const sqlName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, "must be a name of letters, digits and `_`");

/** Alternative names under which a table and its columns can be read and written. */
export const namingOptions = (of: string) => ({
  modelName: sqlName
    .optional()
    .describe(
      `Your own name for the table of ${of}s, as an updatable view.${of === "session" ? " Sessions in Redis are not in it." : ""}`,
    ),
  fields: z
    .record(z.string(), sqlName)
    .default({})
    .describe(`Your own names for the columns of that view, by field.`),
});
