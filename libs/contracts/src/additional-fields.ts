import { z } from "zod";
import type { AdditionalField } from "./options/additional-field.ts";
import type { Options } from "./options.ts";
import { timestamp } from "./plain-text.ts";

type Fields = Readonly<Record<string, AdditionalField>>;

/** The objects of organizations that have additional fields. */
export const organizationFieldKinds = ["organization", "member", "invitation", "team"] as const;
export type OrganizationFieldKind = (typeof organizationFieldKinds)[number];

/** The configured additional fields, by the object that they belong to. */
export type AdditionalFields = Readonly<Record<OrganizationFieldKind | "session" | "user", Fields>>;

/** Returns the additional fields of the options. */
export const additionalFieldsOf = ({
  user,
  session,
  organization: { schema },
}: Pick<Options, "organization" | "session" | "user">): AdditionalFields => ({
  user: user.additionalFields,
  session: session.additionalFields,
  organization: schema.organization.additionalFields,
  member: schema.member.additionalFields,
  invitation: schema.invitation.additionalFields,
  team: schema.team.additionalFields,
});

const schemas = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: timestamp,
  "string[]": z.array(z.string()),
  "number[]": z.array(z.number()),
} as const;

const schemaOf = ({ type }: AdditionalField): z.ZodType =>
  Array.isArray(type) ? z.enum(type) : schemas[type];

const objectOf = (
  fields: Fields,
  isPart: (field: AdditionalField) => boolean,
  describe: (field: AdditionalField) => z.ZodType,
): z.ZodObject => {
  const parts = Object.entries(fields).filter(([, field]) => isPart(field));
  return z.object(Object.fromEntries(parts.map(([name, field]) => [name, describe(field)])));
};

/** Returns the fields that replies show. Each is nullable, because a row may be older than its option. */
export const returnedFields = (fields: Fields): z.ZodObject =>
  objectOf(
    fields,
    ({ returned }) => returned,
    (field) => schemaOf(field).nullable().optional(),
  );

/** Returns the fields that clients can set. On creation, a field without a default may be required. */
export const inputFields = (fields: Fields): z.ZodObject =>
  objectOf(
    fields,
    ({ input }) => input,
    (field) => {
      if (!field.required) return schemaOf(field).nullable().optional();
      return field.defaultValue === undefined ? schemaOf(field) : schemaOf(field).optional();
    },
  );
