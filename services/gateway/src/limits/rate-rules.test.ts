import { describe, expect, test } from "vitest";
import { chooseRule, compileRateRules } from "./create-limit.ts";
import type { RateRuleOptions } from "./create-limit.ts";

interface Asked {
  readonly vip: boolean;
}

const strictPaths = new Set(["/sign-in/email", "/sign-in/username"]);
const choose = (path: string, options: RateRuleOptions<Asked> = {}, vip = false) => {
  const rateClass = strictPaths.has(path) ? ("strict" as const) : ("general" as const);
  return chooseRule({ path, operation: { rateClass } }, compileRateRules(options), { vip });
};

const general = { windowSeconds: 10, max: 100 };
const strict = { windowSeconds: 10, max: 3 };
const mailedLink = { windowSeconds: 60, max: 5 };
const mailedCode = { windowSeconds: 60, max: 3 };
const textedCode = { windowSeconds: 60, max: 10 };
const moderate = { windowSeconds: 10, max: 10 };
const file = { windowSeconds: 10, max: 1_000 };

describe("without custom rules", () => {
  test.each([
    ["strict", strict],
    ["mailed link", mailedLink],
    ["mailed code", mailedCode],
    ["texted code", textedCode],
    ["moderate", moderate],
    ["file", file],
    ["registration", { windowSeconds: 3_600, max: 5 }],
    ["general", general],
  ] as const)("an operation of the class %s has that rule", async (rateClass, rule) => {
    const target = { path: "/anywhere", operation: { rateClass } };
    expect(await chooseRule(target, compileRateRules({}), { vip: false })).toEqual(rule);
  });

  test("a path without an operation has the general rule", async () => {
    const target = { path: "/sign-in/nothing", operation: undefined };
    expect(await chooseRule(target, compileRateRules({}), { vip: false })).toEqual(general);
  });

  test("the general rule is configurable, the strict one is fixed", async () => {
    const options = { window: 60, max: 5 };
    expect(await choose("/ok", options)).toEqual({ windowSeconds: 60, max: 5 });
    expect(await choose("/sign-in/email", options)).toEqual(strict);
  });
});

describe("custom rules", () => {
  const options: RateRuleOptions<Asked> = {
    customRules: {
      "/ok": false,
      "/sign-in/email": { window: 1, max: 7 },
      "/organization/*": { window: 2, max: 8 },
      "/organization/**": { window: 3, max: 9 },
      "/organization/create": { window: 4, max: 10 },
      "/token": ({ vip }) => (vip ? false : { window: 5, max: 11 }),
      "/jwks": async ({ vip }) => (vip ? false : { window: 6, max: 12 }),
      "/reset-password/*": { window: 7, max: 13 },
    },
  };

  test.each([
    ["an exact path without a limit", "/ok", false],
    ["an exact path before the strict rule", "/sign-in/email", { windowSeconds: 1, max: 7 }],
    ["a glob within a segment", "/organization/list", { windowSeconds: 2, max: 8 }],
    ["a glob across segments", "/organization/team/list", { windowSeconds: 3, max: 9 }],
    [
      "the first key that matches, exact or not",
      "/organization/create",
      { windowSeconds: 2, max: 8 },
    ],
    ["a parameter path", "/reset-password/abc", { windowSeconds: 7, max: 13 }],
    ["no other path", "/sign-in/username", strict],
    ["no longer path", "/ok/more", general],
  ])("%s", async (_case, path, rule) => {
    expect(await choose(path, options)).toEqual(rule);
  });

  test.each(["/token", "/jwks"])(
    "a function chooses the rule of %s by the request",
    async (path) => {
      expect(await choose(path, options, true)).toBe(false);
      expect(await choose(path, options, false)).toMatchObject({
        windowSeconds: path === "/token" ? 5 : 6,
      });
    },
  );

  test("an error of a function is passed to the caller", async () => {
    const failing = () => {
      throw new Error("no rule today");
    };
    const options = { customRules: { "/ok": failing } };
    await expect(choose("/ok", options)).rejects.toThrow("no rule today");
  });
});
