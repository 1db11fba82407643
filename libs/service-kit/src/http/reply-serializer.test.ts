import { type AdditionalFields, additionalFieldsOf, optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { createReplySerializer } from "./reply-serializer.ts";

const declared = { reply: z.object({ id: z.string() }).meta({ fieldsOf: "user" }) };

const withField = (name: string): AdditionalFields =>
  additionalFieldsOf(
    optionsSchema.parse({
      user: { additionalFields: { [name]: { type: "string", required: false } } },
    }),
  );

test("writes declared members and the additional fields of its own options, and nothing else", () => {
  const reply = { id: "1", team: "red", town: "Rome", password: "secret" };
  const write = (fields?: AdditionalFields) => createReplySerializer(declared, fields)(reply);
  expect(write(withField("team"))).toBe(`{"id":"1","team":"red"}`);
  expect(write(withField("town"))).toBe(`{"id":"1","town":"Rome"}`);
  expect(write()).toBe(`{"id":"1"}`);
  expect(write(withField("team"))).toBe(`{"id":"1","team":"red"}`);
});
