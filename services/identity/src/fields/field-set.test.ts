import { type LatchkeyConfig, optionsSchema, type WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { createFieldSet } from "./field-set.ts";

type Configured = NonNullable<NonNullable<LatchkeyConfig["user"]>["additionalFields"]>;

const fieldSet = (additionalFields: Configured) =>
  createFieldSet(optionsSchema.parse({ user: { additionalFields } }).user.additionalFields);

/** A set of one field, `f`, that need not be given. */
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

describe("what is sent", () => {
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

  test("of another type is refused by the name of the field, without the value", async () => {
    const set = one({ type: "number" });
    expect(await refusalOf(set.read({ values: { f: "secret" }, mode: "update" }))).toEqual(
      invalid("is of another type"),
    );
  });

  test("that is no field is passed by", async () => {
    expect(await one({}).read({ values: { g: 1 }, mode: "create" })).toEqual({ f: null });
  });

  // Every object has members of these names, and no request has sent them.
  test.each(["constructor", "toString", "valueOf"])("is only what was: %s", async (name) => {
    const set = fieldSet({ [name]: { type: "string", required: false } });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ [name]: null });
    expect(await set.read({ values: {}, mode: "update" })).toEqual({});
    expect(set.show({})).toEqual({ [name]: null });
  });

  test("for a unique field is refused where no index could hold it", async () => {
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

  test("is left alone by an update that does not name it", async () => {
    const set = fieldSet({ f: { type: "string" } });
    expect(await set.read({ values: {}, mode: "update" })).toEqual({});
  });

  test.each(["", 0, false, []] as const)(
    "takes its default where there is one: %j",
    async (value) => {
      const types = { string: "string", number: "number", boolean: "boolean", object: "string[]" };
      const type = types[typeof value as keyof typeof types] as "string";
      const set = fieldSet({ f: { type, defaultValue: value as string } });
      expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: value });
      expect(await refusalOf(set.read({ values: { f: null }, mode: "create" }))).toEqual(required);
    },
  );

  test("cannot be emptied by its transform", async () => {
    const set = fieldSet({ f: { type: "string", transform: { input: () => null } } });
    expect(await refusalOf(set.read({ values: { f: "a" }, mode: "update" }))).toEqual(required);
  });
});

describe("a field that is not required", () => {
  test("can be null, also over its default", async () => {
    const set = one({ defaultValue: "a" });
    for (const mode of ["create", "update"] as const)
      expect(await set.read({ values: { f: null }, mode })).toEqual({ f: null });
  });

  test("is null where nothing was sent", async () => {
    expect(await one({}).read({ values: {}, mode: "create" })).toEqual({ f: null });
  });
});

describe("a default", () => {
  test("of a function is asked for anew each time, and may be awaited", async () => {
    let count = 0;
    const set = one({ type: "number", defaultValue: async () => (count += 1) });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: 1 });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({ f: 2 });
    expect(await set.read({ values: {}, mode: "update" })).toEqual({});
    expect(count).toBe(2);
  });

  test("that is a moment is stored as text", async () => {
    const set = one({ type: "date", defaultValue: () => new Date(0) });
    expect(await set.read({ values: {}, mode: "create" })).toEqual({
      f: "1970-01-01T00:00:00.000Z",
    });
  });

  test("of another type is an error of configuration", () => {
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
  ])("of a function that %s is a fault, not a refusal", async (_, defaultValue, message) => {
    const reading = one({ defaultValue }).read({ values: {}, mode: "create" });
    await expect(reading).rejects.toThrow(message);
  });
});

describe("a field without input", () => {
  const set = fieldSet({
    plan: { type: "string", input: false, defaultValue: "free" },
    note: { type: "string", input: false },
  });

  test("is what the default says, whatever a client sends", async () => {
    expect(await set.read({ values: { plan: "gold", note: 1 }, mode: "create" })).toEqual({
      plan: "free",
      note: null,
    });
  });

  test("is left alone by an update of a client", async () => {
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
  ])("that answers %s gives what is stored", async (_, parse) => {
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
  ])("that throws %s refuses, and tells no more than that", async (_, parse) => {
    const set = one({ validator: { input: { parse } } });
    expect(await refusalOf(set.read({ values: { f: "a" }, mode: "update" }))).toEqual(
      invalid("is not valid"),
    );
  });

  test("is asked about values of the type only, and never about null", async () => {
    const asked: unknown[] = [];
    const parse = (value: unknown) => asked.push(value);
    const set = one({ type: "number", validator: { input: { parse } } });
    await refusalOf(set.read({ values: { f: "a" }, mode: "update" }));
    await set.read({ values: { f: null }, mode: "update" });
    expect(asked).toEqual([]);
  });
});

describe("a transform", () => {
  test("is laid over what was found valid, and may be awaited", async () => {
    const set = one({
      validator: { input: { parse: (value: unknown) => `${String(value)}!` } },
      transform: { input: async (value) => String(value).toUpperCase() },
    });
    expect(await set.read({ values: { f: "a" }, mode: "create" })).toEqual({ f: "A!" });
  });

  test("that throws, or gives another type, is a fault, not a refusal", async () => {
    const failing = one({ transform: { input: () => Promise.reject(new TypeError("not well")) } });
    await expect(failing.read({ values: { f: "a" }, mode: "create" })).rejects.toThrow("not well");
    const straying = one({ transform: { input: () => 1 } });
    await expect(straying.read({ values: { f: "a" }, mode: "create" })).rejects.toThrow(TypeError);
  });
});

describe("a row that nobody sends anything for", () => {
  test("begins with defaults, and misses nothing", async () => {
    const set = fieldSet({
      plan: { type: "string", defaultValue: "free" },
      count: { type: "number", defaultValue: () => 0 },
      device: { type: "string" },
    });
    expect(await set.defaults()).toEqual({ plan: "free", count: 0, device: null });
  });
});

describe("what replies show", () => {
  const set = fieldSet({
    plan: { type: "string" },
    secret: { type: "string", returned: false },
    age: { type: "number" },
  });

  test("are the returned fields, null where a row is older than the field", () => {
    expect(set.show({ plan: "free", secret: "s", other: 1 })).toEqual({ plan: "free", age: null });
  });

  // Else no session of that user could be shown any more: a serializer throws on it.
  test("is null where a row holds another type than the options name by now", () => {
    expect(set.show({ plan: "free", age: "old" })).toEqual({ plan: "free", age: null });
  });
});
