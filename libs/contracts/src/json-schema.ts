import { z } from "zod";
import { type AdditionalFields, inputFields, returnedFields } from "./additional-fields.ts";
import { fullUserSchema, sessionSchema, userSchema } from "./objects.ts";

type JsonSchema = Record<string, unknown>;
type Io = "input" | "output";

/** A JSON Schema object, with the `meta` members of our zod schemas. */
interface Marked extends JsonSchema {
  properties?: JsonSchema;
  required?: string[];
  enum?: unknown[];
  nullable?: boolean;
  /** The object of a reply that includes the additional fields. */
  fieldsOf?: keyof AdditionalFields;
  /** A body that accepts the additional fields. */
  inputFieldsOf?: keyof AdditionalFields;
  /** Media type of a reply that is not JSON. */
  contentType?: string;
}

interface Translation {
  target: "openapi-3.0" | "draft-2020-12";
  io: Io;
  fields: AdditionalFields | undefined;
  /** The `$ref` of each shared object, which replaces its description. */
  refs?: ReadonlyMap<unknown, string>;
}

const addFields = (json: Marked, fields: z.ZodObject, { target, io }: Translation): void => {
  const added: Marked = translate(fields, { target, io, fields: undefined });
  json.properties = { ...json.properties, ...added.properties };
  // A body that requires nothing updates an existing object, so it requires no additional field either.
  if (json.required && added.required) json.required = [...json.required, ...added.required];
};

const adjust = (json: Marked, zodSchema: unknown, translation: Translation): void => {
  const ref = translation.refs?.get(zodSchema);
  if (ref !== undefined) {
    for (const name of Object.keys(json)) Reflect.deleteProperty(json, name);
    json["$ref"] = ref;
    return;
  }
  // The serializer checks the branches of a union, and a null must be among the values of an enumeration.
  if (json.nullable && json.enum && !json.enum.includes(null)) json.enum = [...json.enum, null];
  const { fieldsOf, inputFieldsOf } = json;
  delete json.fieldsOf;
  delete json.inputFieldsOf;
  delete json.contentType;
  const { fields } = translation;
  if (fields && fieldsOf) addFields(json, returnedFields(fields[fieldsOf]), translation);
  if (fields && inputFieldsOf) addFields(json, inputFields(fields[inputFieldsOf]), translation);
};

const translate = (schema: z.ZodType, translation: Translation): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: translation.io,
    target: translation.target,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => adjust(jsonSchema as Marked, zodSchema, translation),
  });
  return rest;
};

/**
 * Returns the JSON Schema of a zod schema for the compiled serializer: dates are text, and `X or null` is a nullable X. Adds `fields`
 * to every object that shows them.
 */
export const jsonSchema = (schema: z.ZodType, io: Io, fields?: AdditionalFields): JsonSchema =>
  translate(schema, { target: "openapi-3.0", io, fields });

const objects = { User: userSchema, FullUser: fullUserSchema, Session: sessionSchema };

const refs = new Map(
  Object.entries(objects).map(([name, schema]) => [schema, `#/components/schemas/${name}`]),
);

/** Returns the JSON Schema (2020-12) of a zod schema for the OpenAPI document, with users and sessions by `$ref`. */
export const documentSchema = (schema: z.ZodType, io: Io, fields?: AdditionalFields): JsonSchema =>
  translate(schema, { target: "draft-2020-12", io, fields, refs });

/** Returns the targets of the `$ref`s in `documentSchema`, by name. */
export const objectSchemas = (fields?: AdditionalFields): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(objects).map(([name, schema]) => [
      name,
      translate(schema, { target: "draft-2020-12", io: "output", fields }),
    ]),
  );
