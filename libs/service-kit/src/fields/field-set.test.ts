import { type LatchkeyConfig, optionsSchema, type WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { createFieldSet } from "./field-set.ts";

type Configured = NonNullable<NonNullable<LatchkeyConfig["user"]>["additionalFields"]>;

const fieldSet = (additionalFields: Configured) =>
  createFieldSet(optionsSchema.parse({ user: { additionalFields } }).user.additionalFields);

/** Creates a set of one optional field, `f`. */
const one = (field: Partial<Configured[string]>) =>
  fieldSet({ f: { type: "string", required: false, ...field } });

const refusalOf = async (reading: Promise<unknown>) => {
  const error = (await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as WireError | undefined;
  return error && { status: error.status, ...error.body() };
};

const invalid = (message: string) => ({
  status: 400,
  code: "VALIDATION_ERROR",
  message: "Invalid body parameters",
  issues: [{ path: "f", message }],
});

const required = {
  status: 400,
  code: "F_IS_REQUIRED",
  message: "f is required",
};

describe("a sent value", () => {
  test.each([
    ["string", "a", "a"],
    ["string", "", ""],
    ["number", 0, 0],
    ["boolean", false, false],
    ["date", "2026-01-02", "2026-01-02T00:00:00.000Z"],
    ["date", "2026-01-02T03:04:05+05:30", "2026-01-01T21:34:05.000Z"],
    ["string[]", ["a"], ["a"]],
    ["number[]", [], []],
    [["small", "large"], "large", "large"],
  ] as const)("for a %j, %j, is stored as %j", async (type, sent, stored) => {
    const set = one({ type: Array.isArray(type) ? [...type] : (type as "string") });
    for (const mode of ["create", "update"] as const)
      expect(await set.read({ values: { f: sent }, mode })).toEqual({ f: stored });
  });

  test("of another type is rejected with the name of the field, without the value", async () => {
    const set = one({ type: "number" });
    expect(await refusalOf(set.read({ values: { f: "secret" }, mode: "update" }))).toEqual(
      invalid("is of another type"),
    );
  });

  test("for an unknown field is ignored", async () => {
    expect(await one({}).read({ values: { g: 1 }, mode: "create" })).toEqual({ f: null });
  });

  // Every object has members of these names by its prototype. They must not count as sent.
  test.each(["constructor", "toString", "valueOf"])(
    "is read only if it is an own member: %s",
    async (name) => {
      const set = fieldSet({ [name]: { type: "string", required: false } });
      expect(await set.read({ values: {}, mode: "create" })).toEqual({ [name]: null });
      expect(await set.read({ values: {}, mode: "update" })).toEqual({});
      expect(set.show({})).toEqual({ [name]: null });
    },
  );

  test("for a unique field is rejected if it is too long for an index", async () => {
    const set = one({ unique: true });
    expect(await set.read({ values: { f: "x".repeat(510) }, mode: "create" })).toBeTruthy();
    expect(await refusalOf(set.read({ values: { f: "x".repeat(511) }, mode: "create" }))).toEqual(
      invalid("is too long"),
    );
  });
});

describe("a required field", () => {
  test.each([
    ["create", {}],
    ["create", { f: undefined }],
    ["create", { f: null }],
    ["update", { f: null }],
  ] as const)("is asked for: %s of %j", async (mode, values) => {
    const set = fieldSet({ f: { type: "string" } });
    expect(await refusalOf(set.read({ values, mode }))).toEqual(required);
  });

  test("is unchanged by an update that does not contain it", async () => {
    const set = fieldSet({ f: { type: "string" } });
    expect(await set.read({ values: {}, mode: "update" })).toEqual({});
  });

  test.each(["", 0, false, []] as const)("gets its default if there is one: %j", async (value) => {
    const types = { string: "string", number: "number", boolean: "boolean", object: "string[]" };
    const type = types[typeof value as keyof typeof types] as "string";
    const set = fieldSet({ f: { type, defaultValue: value as string } });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: value });
    expect(await refusalOf(set.read({ values: { f: null }, mode: "create" }))).toEqual(required);
  });

  test("cannot be emptied by its transform", async () => {
    const set = fieldSet({ f: { type: "string", transform: { input: () => null } } });
    expect(await refusalOf(set.read({ values: { f: "a" }, mode: "update" }))).toEqual(required);
  });
});

describe("an optional field", () => {
  test("can be null, even if it has a default", async () => {
    const set = one({ defaultValue: "a" });
    for (const mode of ["create", "update"] as const)
      expect(await set.read({ values: { f: null }, mode })).toEqual({ f: null });
  });

  test("is null if nothing was sent", async () => {
    expect(await one({}).read({ values: {}, mode: "create" })).toEqual({ f: null });
  });
});

describe("a default", () => {
  test("by a function is computed each time, sync or async", async () => {
    let count = 0;
    const set = one({ type: "number", defaultValue: async () => (count += 1) });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: 1 });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: 2 });
    expect(await set.read({ values: {}, mode: "update" })).toEqual({});
    expect(count).toBe(2);
  });

  test("of a date is stored as text", async () => {
    const set = one({ type: "date", defaultValue: () => new Date(0) });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({
      f: "1970-01-01T00:00:00.000Z",
    });
  });

  test("of another type is a configuration error", () => {
    expect(() => one({ type: "number", defaultValue: "1" })).toThrow(
      "additionalFields.f.defaultValue: is not of the type of the field",
    );
    expect(() => one({ type: ["a"], defaultValue: "b" })).toThrow("additionalFields.f");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("not well");
      },
      "not well",
    ],
    ["gives another type", () => ({ secret: 1 }), "f was given a value that is not of its type"],
  ])(
    "by a function that %s is a server error, not a rejection",
    async (_, defaultValue, message) => {
      const reading = one({ defaultValue }).read({ values: {}, mode: "create" });
      await expect(reading).rejects.toThrow(message);
    },
  );
});

describe("a field without input", () => {
  const set = fieldSet({
    plan: { type: "string", input: false, defaultValue: "free" },
    note: { type: "string", input: false },
  });

  test("gets its default, whatever a client sends", async () => {
    expect(await set.read({ values: { plan: "gold", note: 1 }, mode: "create" })).toEqual({
      plan: "free",
      note: null,
    });
  });

  test("is unchanged by an update of a client", async () => {
    expect(await set.read({ values: { plan: "gold" }, mode: "update" })).toEqual({});
  });

  test("can be set by admins and by the application", async () => {
    const isTrusted = true;
    expect(await set.read({ values: { plan: "gold" }, mode: "update", isTrusted })).toEqual({
      plan: "gold",
    });
    const reading = set.read({ values: { note: 1 }, mode: "create", isTrusted });
    expect(await refusalOf(reading)).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("a validator", () => {
  test.each([
    ["at once", (value: unknown) => `${String(value)}!`],
    ["later", async (value: unknown) => `${String(value)}!`],
  ])("that returns %s determines the stored value", async (_, parse) => {
    const set = one({ validator: { input: { parse } } });
    expect(await set.read({ values: { f: "a" }, mode: "update" })).toEqual({ f: "a!" });
  });

  test.each([
    [
      "at once",
      () => {
        throw new Error("the value is secret");
      },
    ],
    ["later", () => Promise.reject(new Error("the value is secret"))],
  ])("that throws %s rejects the value, without its message", async (_, parse) => {
    const set = one({ validator: { input: { parse } } });
    expect(await refusalOf(set.read({ values: { f: "a" }, mode: "update" }))).toEqual(
      invalid("is not valid"),
    );
  });

  test("receives only values of the field's type, and never null", async () => {
    const inputs: unknown[] = [];
    const parse = (value: unknown) => inputs.push(value);
    const set = one({ type: "number", validator: { input: { parse } } });
    await refusalOf(set.read({ values: { f: "a" }, mode: "update" }));
    await set.read({ values: { f: null }, mode: "update" });
    expect(inputs).toEqual([]);
  });
});

describe("a transform", () => {
  test("changes the validated value, sync or async", async () => {
    const set = one({
      validator: { input: { parse: (value: unknown) => `${String(value)}!` } },
      transform: { input: async (value) => String(value).toUpperCase() },
    });
    expect(await set.read({ values: { f: "a" }, mode: "create" })).toEqual({ f: "A!" });
  });

  test("that throws, or returns another type, causes a server error, not a rejection", async () => {
    const failing = one({ transform: { input: () => Promise.reject(new TypeError("not well")) } });
    await expect(failing.read({ values: { f: "a" }, mode: "create" })).rejects.toThrow("not well");
    const straying = one({ transform: { input: () => 1 } });
    await expect(straying.read({ values: { f: "a" }, mode: "create" })).rejects.toThrow(TypeError);
  });
});

describe("a row without sent values", () => {
  test("starts with defaults, and is not checked for required fields", async () => {
    const set = fieldSet({
      plan: { type: "string", defaultValue: "free" },
      count: { type: "number", defaultValue: () => 0 },
      device: { type: "string" },
    });
    expect(await set.defaults()).toEqual({ plan: "free", count: 0, device: null });
  });
});

describe("the shown values", () => {
  const set = fieldSet({
    plan: { type: "string" },
    secret: { type: "string", returned: false },
    age: { type: "number" },
  });

  test("are those of returned fields, and null if a row is older than the field", () => {
    expect(set.show({ plan: "free", secret: "s", other: 1 })).toEqual({ plan: "free", age: null });
  });

  // Otherwise no session of that user could be shown, because the serializer throws.
  test("are null if a row contains another type than the present options", () => {
    expect(set.show({ plan: "free", age: "old" })).toEqual({ plan: "free", age: null });
  });
});
