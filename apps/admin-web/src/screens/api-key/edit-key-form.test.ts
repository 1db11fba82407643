import { describe, expect, test } from "vitest";
import { editedKeyForm, type KeyForm } from "../../components/api-keys/key-form.ts";
import { changeOfKey, type ExpiryChange, formOfKey } from "./edit-key-form.ts";

const key = {
  name: "CI",
  remaining: 7,
  refillAmount: 100,
  refillInterval: 30,
  rateLimitEnabled: true,
  rateLimitMax: 10,
  rateLimitTimeWindow: 7_200_000,
  permissions: { files: ["read", "write"], mails: ["send"] },
  metadata: { plan: "free" },
};
const unlimited = {
  ...key,
  remaining: null,
  refillAmount: null,
  refillInterval: null,
  rateLimitEnabled: false,
  permissions: null,
  metadata: null,
};

const changed = (
  of: Parameters<typeof formOfKey>[0],
  own: Partial<KeyForm>,
  expiry?: ExpiryChange,
) => {
  const before = formOfKey(of);
  return changeOfKey({ ...before, ...own }, before, expiry ?? "keep");
};

describe("the form of an existing key", () => {
  test("begins with its values, and with the largest unit of its window", () => {
    expect(formOfKey(key)).toMatchObject({
      name: "CI",
      remaining: "7",
      refillAmount: "100",
      refillDays: "30",
      rate: "own",
      rateMax: "10",
      rateWindow: "2",
      rateUnit: "hour",
      permissions: "files: read, write\nmails: send",
    });
    expect(formOfKey(unlimited)).toMatchObject({ remaining: "", refillAmount: "", rate: "none" });
  });

  test.each([key, unlimited])("sends nothing that was not changed", (of) => {
    expect(changed(of, {})).toEqual({});
  });

  test.each<[Partial<KeyForm>, object]>([
    [{ name: "Build" }, { name: "Build" }],
    [{ remaining: "0" }, { remaining: 0 }],
    [{ refillDays: "7" }, { refillAmount: 100, refillInterval: 7 }],
    [
      { refillAmount: "", refillDays: "" },
      { refillAmount: null, refillInterval: null },
    ],
    [{ remaining: "" }, { remaining: 100 }],
    [
      { remaining: "", refillAmount: "", refillDays: "" },
      { remaining: null, refillAmount: null, refillInterval: null },
    ],
    [{ rate: "none" }, { rateLimitEnabled: false }],
    [
      { rateMax: "20", rateUnit: "minute" },
      { rateLimitEnabled: true, rateLimitMax: 20, rateLimitTimeWindow: 120_000 },
    ],
    [{ permissions: "files: read" }, { permissions: { files: ["read"] } }],
    [{ permissions: " " }, { permissions: null }],
    [{ metadata: '{"plan":"pro"}' }, { metadata: { plan: "pro" } }],
    [{ metadata: "" }, { metadata: null }],
  ])("sends %j as %j", (own, body) => {
    expect(changed(key, own)).toEqual(body);
  });

  test("limits the uses of an unlimited key that gets a refill", () => {
    expect(changed(unlimited, { refillAmount: "5", refillDays: "1" })).toEqual({
      remaining: 5,
      refillAmount: 5,
      refillInterval: 1,
    });
  });

  test("keeps a key unlimited that has a refill, until its uses or its refill change", () => {
    const refilled = { ...key, remaining: null };
    expect(changed(refilled, { name: "Build" })).toEqual({ name: "Build" });
    expect(changed(refilled, { remaining: "3" })).toEqual({ remaining: 3 });
    expect(changed(refilled, { refillAmount: "5" })).toEqual({
      remaining: 5,
      refillAmount: 5,
      refillInterval: 30,
    });
  });

  test("keeps a window that is not a whole number of seconds, until it changes", () => {
    const odd = { ...key, rateLimitTimeWindow: 1500 };
    const limit = { rateLimitEnabled: true, rateLimitMax: 20 };
    expect(changed(odd, { rateMax: "20" })).toEqual(limit);
    const window = { rateMax: "20", rateWindow: "3" };
    expect(changed(odd, window)).toEqual({ ...limit, rateLimitTimeWindow: 3000 });
    const off = { ...odd, rateLimitEnabled: false };
    const on = { rate: "own", rateMax: "20", rateWindow: "2", rateUnit: "second" } as const;
    expect(changed(off, on)).toEqual({ ...limit, rateLimitTimeWindow: 2000 });
  });

  test.each<[ExpiryChange, object]>([
    ["keep", {}],
    ["never", { expiresIn: null }],
    ["days", { expiresIn: 864_000 }],
  ])("changes the expiry only if asked: %s", (expiry, body) => {
    expect(changed(key, { expiresInDays: "10" }, expiry)).toEqual(body);
  });

  test("accepts a key without uses, and permissions that text cannot express until they are changed", () => {
    const odd = formOfKey({ ...key, remaining: 0, permissions: { files: [] } });
    const form = editedKeyForm(odd.permissions);
    expect(form.safeParse(odd).success).toBe(true);
    expect(form.safeParse({ ...odd, permissions: "files:\nmails:" }).success).toBe(false);
  });
});
