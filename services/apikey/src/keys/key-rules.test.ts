import { type ErrorCode, WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { apiKeyConfig } from "../db/test-apikey.fixture.ts";
import {
  checkKeyChange,
  checkNewKey,
  type KeyChange,
  type NewKey,
  refuseOtherOwner,
  refuseServicesMembers,
} from "./key-rules.ts";

const day = 86_400;

const rulesOf = (apiKey: object) => apiKeyConfig({ apiKey }).apiKey;
const rules = rulesOf({ enableMetadata: true });
const withoutMetadata = rulesOf({});
const withoutExpiry = rulesOf({
  enableMetadata: true,
  keyExpiration: { disableCustomExpiresTime: true },
});

const outcomeOf = (check: () => void): ErrorCode | "passes" => {
  try {
    check();
    return "passes";
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
};

const ofNew = (given: NewKey, using = rules) =>
  outcomeOf(() => checkNewKey(using, given, { isOwn: false }));
const ofChange = (change: KeyChange, using = rules) =>
  outcomeOf(() => checkKeyChange(using, change, { now: 0 }));

describe("both a new key and a change", () => {
  test.each([
    [{}, "passes"],
    [[], "passes"],
    [[{ a: [{ b: null }] }], "passes"],
    ["text", "INVALID_METADATA_TYPE"],
    [1, "INVALID_METADATA_TYPE"],
    [true, "INVALID_METADATA_TYPE"],
  ])("metadata %j: %s", (metadata, outcome) => {
    expect(ofNew({ metadata })).toBe(outcome);
    expect(ofChange({ metadata })).toBe(outcome);
  });

  /** Code that copies such an object carelessly pollutes the prototype of all objects, or throws on every read. */
  test.each([
    '{"__proto__":{}}',
    '{"constructor":1}',
    '{"prototype":null}',
    '{"a":{"b":[[{"constructor":{}}]]}}',
    '[{"__proto__":1}]',
  ])("rejects metadata with a reserved name: %s", (json) => {
    const metadata: unknown = JSON.parse(json);
    expect(ofNew({ metadata })).toBe("INVALID_METADATA_TYPE");
    expect(ofChange({ metadata })).toBe("INVALID_METADATA_TYPE");
  });

  test("accept reserved names as values, and check metadata of any depth", () => {
    const nested: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    for (const metadata of [{ kind: "constructor" }, ["__proto__"], nested]) {
      expect(ofNew({ metadata })).toBe("passes");
      expect(ofChange({ metadata })).toBe("passes");
    }
  });

  test.each([
    [1, "EXPIRES_IN_IS_TOO_SMALL"],
    [day - 1, "EXPIRES_IN_IS_TOO_SMALL"],
    [day, "passes"],
    [365 * day, "passes"],
    [365 * day + 1, "EXPIRES_IN_IS_TOO_LARGE"],
    // No date is so far in the future.
    [Number.MAX_VALUE, "EXPIRES_IN_IS_TOO_LARGE"],
  ])("a lifetime of %i seconds: %s", (expiresIn, outcome) => {
    expect(ofNew({ expiresIn })).toBe(outcome);
    expect(ofChange({ expiresIn })).toBe(outcome);
    expect(ofNew({ expiresIn }, withoutExpiry)).toBe("KEY_DISABLED_EXPIRATION");
    expect(ofChange({ expiresIn }, withoutExpiry)).toBe("KEY_DISABLED_EXPIRATION");
  });

  test("apply the options' bounds of lifetimes", () => {
    const using = rulesOf({ keyExpiration: { minExpiresIn: 0.1, maxExpiresIn: 2 } });
    expect(ofNew({ expiresIn: 8_640 }, using)).toBe("passes");
    expect(ofNew({ expiresIn: 8_639 }, using)).toBe("EXPIRES_IN_IS_TOO_SMALL");
    expect(ofNew({ expiresIn: 2 * day + 1 }, using)).toBe("EXPIRES_IN_IS_TOO_LARGE");
  });

  test.each([
    [{ refillAmount: 1 }, "REFILL_AMOUNT_ALONE"],
    [{ refillInterval: 1 }, "REFILL_INTERVAL_ALONE"],
    [{ refillAmount: 1, refillInterval: 1 }, "passes"],
  ])("the refill %j: %s", (refill, outcome) => {
    expect(ofNew(refill)).toBe(outcome);
    expect(ofChange(refill)).toBe(outcome);
  });

  test.each([
    ["n", "passes"],
    ["n".repeat(32), "passes"],
    ["n".repeat(33), "INVALID_NAME_LENGTH"],
  ])("the name %s: %s", (name, outcome) => {
    expect(ofNew({ name })).toBe(outcome);
    expect(ofChange({ name })).toBe(outcome);
  });
});

describe("a new key", () => {
  test("needs no field", () => {
    for (const using of [rules, withoutMetadata, withoutExpiry])
      expect(ofNew({}, using)).toBe("passes");
  });

  test("treats an empty name as none", () => {
    expect(ofNew({ name: "" })).toBe("passes");
  });

  test("has the default lifetime if none is requested", () => {
    expect(ofNew({ expiresIn: null }, withoutExpiry)).toBe("passes");
  });

  test.each([null, 0, "", false])("treats metadata %j as none", (metadata) => {
    expect(ofNew({ metadata }, withoutMetadata)).toBe("passes");
  });

  test.each([
    ["p", "passes"],
    ["p".repeat(32), "passes"],
    ["p".repeat(33), "INVALID_PREFIX_LENGTH"],
  ])("the prefix %s: %s", (prefix, outcome) => {
    expect(ofNew({ prefix })).toBe(outcome);
  });

  test("has a prefix and a name within the options' bounds", () => {
    const using = rulesOf({ minimumPrefixLength: 3, minimumNameLength: 3 });
    expect(ofNew({ prefix: "pp", name: "nnn" }, using)).toBe("INVALID_PREFIX_LENGTH");
    expect(ofNew({ prefix: "ppp", name: "nn" }, using)).toBe("INVALID_NAME_LENGTH");
  });

  test("reports the first of several errors: metadata, refill, lifetime, prefix, name", () => {
    const faults: NewKey = {
      metadata: "text",
      refillAmount: 1,
      expiresIn: 1,
      prefix: "p".repeat(33),
      name: "n".repeat(33),
    };
    const cures: NewKey[] = [
      { metadata: {} },
      { refillInterval: 1 },
      { expiresIn: day },
      { prefix: "p" },
      { name: "n" },
    ];
    expect(ofNew(faults, withoutMetadata)).toBe("METADATA_DISABLED");
    const codes = [ofNew(faults)];
    for (const cure of cures) codes.push(ofNew(Object.assign(faults, cure)));
    expect(codes).toEqual([
      "INVALID_METADATA_TYPE",
      "REFILL_AMOUNT_ALONE",
      "EXPIRES_IN_IS_TOO_SMALL",
      "INVALID_PREFIX_LENGTH",
      "INVALID_NAME_LENGTH",
      "passes",
    ]);
  });
});

describe("a change", () => {
  test("rejects an empty name as too short", () => {
    expect(ofChange({ name: "" })).toBe("INVALID_NAME_LENGTH");
  });

  test("treats the removal of the expiry as a chosen lifetime", () => {
    expect(ofChange({ expiresIn: null })).toBe("passes");
    expect(ofChange({ expiresIn: null }, withoutExpiry)).toBe("KEY_DISABLED_EXPIRATION");
  });

  test("may remove metadata, unless metadata is disabled", () => {
    expect(ofChange({ metadata: null })).toBe("passes");
    for (const metadata of [null, 0, "", false, {}])
      expect(ofChange({ metadata }, withoutMetadata)).toBe("METADATA_DISABLED");
    for (const metadata of [0, "", false])
      expect(ofChange({ metadata })).toBe("INVALID_METADATA_TYPE");
  });

  test("reports the first of several errors: name, lifetime, metadata, refill", () => {
    const faults: KeyChange = {
      name: "",
      expiresIn: 1,
      metadata: "text",
      refillInterval: 1,
    };
    const cures: KeyChange[] = [
      { name: "n" },
      { expiresIn: null },
      { metadata: null },
      { refillAmount: 1 },
    ];
    const codes = [ofChange(faults)];
    for (const cure of cures) codes.push(ofChange(Object.assign(faults, cure)));
    expect(codes).toEqual([
      "INVALID_NAME_LENGTH",
      "EXPIRES_IN_IS_TOO_SMALL",
      "INVALID_METADATA_TYPE",
      "REFILL_INTERVAL_ALONE",
      "passes",
    ]);
  });
});

describe("a signed-in user", () => {
  test.each([
    [undefined, "passes"],
    [null, "passes"],
    ["own", "passes"],
    ["other", "INVALID_SESSION"],
    ["", "INVALID_SESSION"],
  ])("naming the owner %j: %s", (userId, outcome) => {
    expect(outcomeOf(() => refuseOtherOwner({ userId }, "own"))).toBe(outcome);
  });

  test.each([
    { refillAmount: 1 },
    { refillInterval: 1 },
    { rateLimitTimeWindow: 1 },
    { rateLimitMax: 1 },
    { rateLimitEnabled: true },
    { rateLimitEnabled: false },
    { permissions: {} },
    { permissions: null },
    { remaining: 1 },
    { remaining: 0 },
  ])("may not set %j", (given) => {
    expect(outcomeOf(() => refuseServicesMembers(given))).toBe("SERVER_ONLY_PROPERTY");
  });

  test.each([{}, { remaining: null }, { name: "n", enabled: true, expiresIn: 1, metadata: {} }])(
    "may set %j",
    (given) => {
      expect(outcomeOf(() => refuseServicesMembers(given))).toBe("passes");
    },
  );
});
