import { z } from "zod";
import { languages } from "../languages.ts";
import { type ConfiguredUser, fullUserSchema, sessionSchema } from "../objects.ts";
import { functionOption, seconds, section } from "./option.ts";

/** Names that an additional field cannot have, because the objects or requests that carry it already use them. */
const reservedNames = new Set([
  ...Object.keys(fullUserSchema.shape),
  ...Object.keys(sessionSchema.shape),
  ..."revision extra password callbackURL rememberMe invitationProof".split(" "),
]);

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

const additionalFields = <Field extends z.ZodType>(of: string, field: Field) =>
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
      `Additional fields of a ${of}, by name: \`{ type, required, input, returned, unique, ${of === "user" ? "label, " : ""}defaultValue, validator, transform }\`. Clients may set a field unless its \`input\` is false, so turn it off for fields that grant anything.`,
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

export const userOptions = section({
  additionalFields: additionalFields("user", additionalField),
  ...namingOptions("user"),
  changeEmail: section({
    enabled: z.boolean().default(false).describe("Users may change their address."),
    confirmByMail: z
      .boolean()
      .default(true)
      .describe(
        "A verified address must confirm its change first. If off, such a change is refused.",
      ),
  }),
  deleteUser: section({
    enabled: z.boolean().default(false).describe("Users may delete their account."),
    confirmByMail: z
      .boolean()
      .default(true)
      .describe("A mailed link confirms the deletion. If off, the account is deleted at once."),
    deleteTokenExpiresIn: seconds
      .min(1)
      .default(86_400)
      .describe("Lifetime of a link, in seconds."),
    beforeDelete: functionOption<(user: ConfiguredUser) => unknown>()
      .optional()
      .describe("Called before a user is deleted. An error that it throws prevents the deletion."),
    afterDelete: functionOption<(user: ConfiguredUser) => unknown>()
      .optional()
      .describe("Called after a user is deleted."),
  }),
});

export const sessionFieldOptions = {
  additionalFields: additionalFields(
    "session",
    // Sessions may be stored in Redis, which cannot enforce uniqueness. No page shows their fields.
    additionalField.omit({ label: true }).extend({ unique: z.literal(false).default(false) }),
  ),
  ...namingOptions("session"),
};
