import { expect, test } from "vitest";
import { z } from "zod";
import { additionalFieldsOf } from "./additional-fields.ts";
import { documentSchema, jsonSchema } from "./json-schema.ts";
import { fullUserSchema, sessionSchema, userSchema } from "./objects.ts";
import { allOperations, operations } from "./operations.ts";
import { optionsSchema } from "./options.ts";

const options = optionsSchema.parse({
  user: {
    additionalFields: {
      nickname: { type: "string" },
      secret: { type: "string", returned: false },
      plan: { type: ["free", "paid"], input: false },
    },
  },
  session: { additionalFields: { device: { type: "string", required: false } } },
});
const fields = additionalFieldsOf(options);
const { reply } = operations.identity.getSession;

/** Returns every object and array in a JSON value, including the value itself. */
const partsOf = (value: unknown): object[] =>
  typeof value === "object" && value !== null
    ? [value, ...Object.values(value).flatMap(partsOf)]
    : [];

test("the serializer's schema marks nullable replies as nullable and dates as text", () => {
  expect(jsonSchema(reply, "output")).toMatchObject({
    nullable: true,
    properties: { session: { properties: { expiresAt: { type: "string", format: "date-time" } } } },
  });
});

test("the serializer's schema of a reply contains no external reference", () => {
  for (const declared of allOperations)
    for (const part of partsOf(jsonSchema(declared.reply, "output", fields)))
      expect(part).not.toHaveProperty("$ref");
});

test("the serializer's schema adds the returned fields to every user and session", () => {
  const device = { type: "string", nullable: true };
  const nested = z.object({ list: z.array(sessionSchema), one: fullUserSchema.nullable() });
  const json = jsonSchema(nested, "output", fields);
  expect(json).toMatchObject({
    properties: {
      list: { items: { properties: { id: { type: "string" }, device } } },
      one: {
        nullable: true,
        properties: { nickname: device, plan: { ...device, enum: ["free", "paid", null] } },
      },
    },
  });
  expect(JSON.stringify(json)).not.toContain("secret");
});

test("the seven members of a user stay seven", () => {
  const { properties } = jsonSchema(userSchema, "output", fields);
  expect(Object.keys(properties as object)).toHaveLength(7);
});

test("the document refers to users and sessions and declares null as a type", () => {
  expect(documentSchema(reply, "output", fields)).toEqual({
    anyOf: [
      {
        type: "object",
        properties: {
          session: { $ref: "#/components/schemas/Session" },
          user: { $ref: "#/components/schemas/FullUser" },
          needsRefresh: { type: "boolean" },
        },
        required: ["session", "user"],
        additionalProperties: false,
      },
      { type: "null" },
    ],
  });
});

const creation = z.object({ email: z.string() }).meta({ inputFieldsOf: "user" });
const change = z.object({ name: z.string().optional() }).meta({ inputFieldsOf: "user" });

test("a body that creates has the input fields and requires the required ones", () => {
  const { properties, required } = documentSchema(creation, "input", fields);
  expect(Object.keys(properties as object)).toEqual(["email", "nickname", "secret"]);
  expect(required).toEqual(["email", "nickname", "secret"]);
});

test("a body that requires nothing requires no additional field either", () => {
  const json = documentSchema(change, "input", fields);
  expect(Object.keys(json["properties"] as object)).toEqual(["name", "nickname", "secret"]);
  expect(json).not.toHaveProperty("required");
});

test("a JSON Schema never contains our own meta members, with or without fields", () => {
  const marked = z.object({ page: z.string().meta({ contentType: "text/html" }), creation });
  const whole = z.object({ marked, user: fullUserSchema, session: sessionSchema });
  for (const additionalFields of [undefined, fields])
    for (const part of partsOf([jsonSchema(whole, "output", additionalFields)]))
      for (const mark of ["contentType", "fieldsOf", "inputFieldsOf"])
        expect(part).not.toHaveProperty(mark);
});
