import { optionsSchema, type LatchkeyConfig } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import {
  checkUsername,
  normaliseOverride,
  normaliseUsername,
  usernameMembers,
} from "./username-rules.ts";

const options = (username: LatchkeyConfig["username"] = {}) =>
  optionsSchema.parse({ username }).username;

const upper = { usernameNormalization: (text: string) => text.toUpperCase() };

describe("a username that follows the rules", () => {
  test.each(["ada", "a.b", "___", "x".repeat(30), "007"])("%j", async (username) => {
    await expect(checkUsername(options(), username)).resolves.toBeUndefined();
  });

  test("is checked by the application's own validator, sync or async", async () => {
    const allowing = [() => true, async () => true];
    for (const usernameValidator of allowing)
      await expect(
        checkUsername(options({ usernameValidator }), "Ada Lovelace!"),
      ).resolves.toBeUndefined();
  });
});

describe("a username that breaks a rule", () => {
  test.each([
    ["", "USERNAME_IS_TOO_SHORT"],
    ["ab", "USERNAME_IS_TOO_SHORT"],
    ["!", "USERNAME_IS_TOO_SHORT"],
    ["x".repeat(31), "USERNAME_IS_TOO_LONG"],
    ["!".repeat(31), "USERNAME_IS_TOO_LONG"],
    ["a b", "USERNAME_IS_INVALID"],
    ["ada\n", "USERNAME_IS_INVALID"],
    ["a-b", "USERNAME_IS_INVALID"],
    ["ädä", "USERNAME_IS_INVALID"],
    ["ada@example.com", "USERNAME_IS_INVALID"],
  ])("%j: %s", async (username, code) => {
    await expect(checkUsername(options(), username)).rejects.toMatchObject({ code, status: 422 });
  });

  test.each([
    ["at once", () => false],
    ["later", async () => false],
  ])("is rejected by the application's own validator with %s", async (_, usernameValidator) => {
    await expect(checkUsername(options({ usernameValidator }), "ada")).rejects.toMatchObject({
      code: "USERNAME_IS_INVALID",
    });
  });

  test.each(["a\0da", "ada\ud83d"])(
    "is rejected whatever the validator says if no store can hold it: %j",
    async (text) => {
      const usernameValidator = () => true;
      await expect(checkUsername(options({ usernameValidator }), text)).rejects.toMatchObject({
        code: "USERNAME_IS_INVALID",
      });
    },
  );

  test("is measured against the options' bounds before any validator runs", async () => {
    let callCount = 0;
    const bounds = {
      minUsernameLength: 1,
      maxUsernameLength: 2,
      usernameValidator: () => (callCount += 1) > 0,
    };
    await expect(checkUsername(options(bounds), "abc")).rejects.toMatchObject({
      code: "USERNAME_IS_TOO_LONG",
    });
    expect(callCount).toBe(0);
    await expect(checkUsername(options(bounds), "a")).resolves.toBeUndefined();
  });
});

describe("the stored form of a username", () => {
  test("is lower case, or the result of the application's function", () => {
    expect(normaliseUsername(options(), "AdA.L")).toBe("ada.l");
    expect(normaliseUsername(options(upper), "AdA.L")).toBe("ADA.L");
  });

  test.each([
    ["ada", "ada", "ada"],
    [null, "ada", null],
    ["Grace", "ada", "grace"],
    ["Ada", null, "ada"],
  ])("for the hook's value %j and the proposed value %j is %j", (given, proposed, stored) => {
    expect(normaliseOverride(options(), { given, proposed })).toBe(stored);
  });

  // The application's own normalisation need not be idempotent.
  test("is not normalised again if the hook did not change it", () => {
    const adding = options({ usernameNormalization: (text) => `${text}.` });
    const proposed = normaliseUsername(adding, "ada");
    expect(normaliseOverride(adding, { given: proposed, proposed })).toBe("ada.");
  });
});

describe("the username members of a request", () => {
  test.each([
    [{ username: "Ada" }, { username: "ada", displayUsername: "Ada" }],
    [
      { username: "Ada", displayUsername: "" },
      { username: "ada", displayUsername: "Ada" },
    ],
    [
      { username: "Ada", displayUsername: "A." },
      { username: "ada", displayUsername: "A." },
    ],
    [{ displayUsername: "A." }, { displayUsername: "A." }],
    [{ displayUsername: "" }, {}],
    [{}, {}],
  ])("from %j are %j", (sent, members) => {
    expect(usernameMembers(options(), sent)).toEqual(members);
  });

  test("are none while usernames are off", () => {
    const sent = { username: "Ada", displayUsername: "A." };
    expect(usernameMembers(options({ enabled: false }), sent)).toEqual({});
  });
});
