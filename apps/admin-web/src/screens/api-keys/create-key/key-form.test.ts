import { describe, expect, test } from "vitest";
import { limitsInWords } from "../../../components/api-keys/limits-in-words.ts";
import { draftLimits, type KeyDefaults } from "./draft-limits.ts";
import { keyBody } from "./key-body.ts";
import { defaultsOf } from "./key-defaults.ts";
import { emptyKeyForm, keyForm, type KeyForm } from "../../../components/api-keys/key-form.ts";

const now = new Date("2026-06-01T12:00:00Z");
const unknown: KeyDefaults = { rate: undefined, permissions: undefined, lifetime: undefined };

const form = (own: Partial<KeyForm>): KeyForm => ({ ...emptyKeyForm, ...own });
const faultsOf = (own: Partial<KeyForm>) => [
  ...new Set(keyForm.safeParse(form(own)).error?.issues.map(({ path }) => path[0])),
];

describe("the form of a new key", () => {
  test("leaves everything to the installation if it is empty", () => {
    expect(faultsOf({})).toEqual([]);
    expect(keyBody(emptyKeyForm, { userId: "u" })).toEqual({ userId: "u" });
  });

  test("sends the entered values", () => {
    const written = form({
      name: "CI",
      prefix: "ci_",
      expiresInDays: "30",
      remaining: "20",
      refillAmount: "100",
      refillDays: "7",
      rate: "own",
      rateMax: "10",
      rateWindow: "2",
      rateUnit: "minute",
      permissions: "files: read",
    });
    expect(keyForm.parse(written)).toEqual(written);
    expect(keyBody(written, { userId: "u" })).toEqual({
      userId: "u",
      name: "CI",
      prefix: "ci_",
      expiresIn: 2_592_000,
      remaining: 20,
      refillAmount: 100,
      refillInterval: 7,
      rateLimitEnabled: true,
      rateLimitMax: 10,
      rateLimitTimeWindow: 120_000,
      permissions: { files: ["read"] },
    });
  });

  test("can disable the rate limit", () => {
    expect(keyBody(form({ rate: "none", rateMax: "5" }), { userId: "u" })).toEqual({
      userId: "u",
      rateLimitEnabled: false,
    });
  });

  test.each([
    [{ remaining: "ten" }, "remaining"],
    [{ remaining: "0" }, "remaining"],
    [{ remaining: "1.5" }, "remaining"],
    [{ remaining: "99999999999" }, "remaining"],
    [{ refillAmount: "5" }, "refillDays"],
    [{ refillDays: "5" }, "refillAmount"],
    [{ rate: "own", rateWindow: "1" }, "rateMax"],
    [{ rate: "own", rateMax: "1" }, "rateWindow"],
    [{ rate: "own", rateMax: "1", rateWindow: "366", rateUnit: "day" }, "rateWindow"],
    [{ rate: "own", rateMax: "many", rateWindow: "1" }, "rateMax"],
    [{ rate: "own", rateMax: "1", rateWindow: "0" }, "rateWindow"],
    [{ expiresInDays: "-1" }, "expiresInDays"],
    [{ prefix: "a b" }, "prefix"],
    [{ permissions: "files" }, "permissions"],
  ] as const)("rejects %j at %s", (own, field) => {
    expect(faultsOf(own)).toEqual([field]);
  });

  test.each([
    { rate: "none", rateMax: "many", rateWindow: "-" },
    { rate: "default", rateMax: "0", rateWindow: "366", rateUnit: "day" },
  ] as const)("ignores errors in hidden fields: %j", (own) => {
    expect(faultsOf(own)).toEqual([]);
  });
});

describe("the limits that the form would create", () => {
  const words = (own: Partial<KeyForm>, defaults = unknown) =>
    limitsInWords(draftLimits(form(own), defaults, now), now);

  test("are those of the installation if the form is empty", () => {
    const defaults: KeyDefaults = {
      rate: { max: 10, windowMs: 86_400_000 },
      lifetime: 86_400,
      permissions: { files: ["read"] },
    };
    expect(words({}, defaults)).toEqual([
      "Unlimited uses.",
      "Rate limit: 10 uses, reset after 1 day without use.",
      "Expires on 2 June 2026 at 12:00 UTC.",
      "Permissions: files (read).",
    ]);
  });

  test("are those that are entered", () => {
    expect(
      words({
        refillAmount: "100",
        refillDays: "30",
        rate: "own",
        rateMax: "5",
        rateWindow: "2",
        rateUnit: "hour",
        expiresInDays: "10",
        permissions: "files: read",
      }),
    ).toEqual([
      "100 uses, refilled to 100 every 30 days.",
      "Rate limit: 5 uses, reset after 2 hours without use.",
      "Expires on 11 June 2026 at 12:00 UTC.",
      "Permissions: files (read).",
    ]);
  });

  test("ignore values that cannot be parsed yet", () => {
    expect(words({ remaining: "-", expiresInDays: "x", permissions: "files" })).toEqual(words({}));
  });
});

describe("the defaults for new keys", () => {
  const option = (name: string, value: unknown) => ({ name: `apiKey.${name}`, value });

  test("are read from the settings", () => {
    const options = [
      option("rateLimit.enabled", true),
      option("rateLimit.maxRequests", 10),
      option("rateLimit.timeWindow", 1000),
      option("keyExpiration.defaultExpiresIn", null),
      option("permissions.defaultPermissions", null),
    ];
    expect(defaultsOf(options)).toEqual({
      rate: { max: 10, windowMs: 1000 },
      lifetime: null,
      permissions: null,
    });
    expect(defaultsOf([option("rateLimit.enabled", false)]).rate).toBeNull();
  });

  test("are unknown if an option is a function", () => {
    expect(
      defaultsOf([option("permissions.defaultPermissions", "function")]).permissions,
    ).toBeUndefined();
  });
});
