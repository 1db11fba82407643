import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inputFields, returnedFields } from "./additional-fields.ts";
import { type LatchkeyConfig, optionsSchema } from "./options.ts";

type Given = NonNullable<NonNullable<LatchkeyConfig["user"]>["additionalFields"]>;

const fieldsOf = (additionalFields: Given) =>
  optionsSchema.parse({ user: { additionalFields } }).user.additionalFields;

describe("an additional field in replies", () => {
  test.each([
    ["string", { type: "string" }],
    ["number", { type: "number" }],
    ["boolean", { type: "boolean" }],
    ["date", { type: "string", format: "date-time" }],
    ["string[]", { type: "array", items: { type: "string" } }],
    ["number[]", { type: "array", items: { type: "number" } }],
    [["a", "b"], { type: "string", enum: ["a", "b"] }],
  ] as const)("of type %j is that type or null, and is optional", (type, expected) => {
    const fieldType = Array.isArray(type) ? [...type] : type;
    const schema = returnedFields(fieldsOf({ field: { type: fieldType as "string" } }));
    const json = z.toJSONSchema(schema, { target: "openapi-3.0", unrepresentable: "any" });
    expect(json.properties).toEqual({ field: { ...expected, nullable: true } });
    expect(json).not.toHaveProperty("required");
  });

  test("is present if it is returned, whether or not clients can set it", () => {
    const fields = fieldsOf({
      shown: { type: "string", input: false },
      hidden: { type: "string", returned: false },
    });
    expect(Object.keys(returnedFields(fields).shape)).toEqual(["shown"]);
  });
});

describe("an additional field that clients can set", () => {
  const fields = fieldsOf({
    needed: { type: "string" },
    defaulted: { type: "string", defaultValue: "" },
    optional: { type: "string", required: false },
    secret: { type: "string", returned: false },
    fixed: { type: "string", input: false },
  });

  test("accepts input, whether or not it is returned", () => {
    expect(Object.keys(inputFields(fields).shape)).toEqual([
      "needed",
      "defaulted",
      "optional",
      "secret",
    ]);
  });

  test("is required only if the option requires it and names no default", () => {
    const { required } = z.toJSONSchema(inputFields(fields), { io: "input" });
    expect(required).toEqual(["needed", "secret"]);
  });
});
