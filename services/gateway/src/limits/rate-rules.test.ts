import { describe, expect, test } from "vitest";

import { chooseRule, compileRateRules } from "./rate-rules.ts";
import type { RateRuleOptions } from "./rate-rules.ts";

interface Asked {
  readonly vip: boolean;
}

const choose = (path: string, options: RateRuleOptions<Asked> = {}, vip = false) =>
  chooseRule(path, compileRateRules(options), { vip });

const general = { windowSeconds: 10, max: 100 };
const strict = { windowSeconds: 10, max: 3 };

describe("without custom rules", () => {
  test.each([
    "/",
    "/ok",
    "/get-session",
    "/x/sign-in",
    "/SIGN-IN/email",
    "/change-emai",
    "/callback/google",
    "/link-social",
    "/get-access-token",
    "/admin/list-users",
  ])("%s has the general rule", (path) => {
    expect(choose(path)).toEqual(general);
  });

  test.each([
    "/sign-in/email",
    "/sign-in/social",
    "/sign-in",
    "/sign-up/email",
    "/change-password",
    "/change-email",
    "/admin/first-run",
    "/admin/first-run/check",
    "/sign-in-other",
  ])("%s has the strict rule", (path) => {
    expect(choose(path)).toEqual(strict);
  });

  test("the general rule is configurable, the strict one stays", () => {
    const options = { window: 60, max: 5 };
    expect(choose("/ok", options)).toEqual({ windowSeconds: 60, max: 5 });
    expect(choose("/sign-in/email", options)).toEqual(strict);
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
    ["the first key that fits, exact or not", "/organization/create", { windowSeconds: 2, max: 8 }],
    ["a parameter path", "/reset-password/abc", { windowSeconds: 7, max: 13 }],
    ["no other path", "/sign-in/username", strict],
    ["no longer path", "/ok/more", general],
  ])("%s", (_case, path, rule) => {
    expect(choose(path, options)).toEqual(rule);
  });

  test.each(["/token", "/jwks"])("a function decides by the request for %s", async (path) => {
    expect(await choose(path, options, true)).toBe(false);
    expect(await choose(path, options, false)).toMatchObject({
      windowSeconds: path === "/token" ? 5 : 6,
    });
  });

  test("the failure of a function reaches the caller", () => {
    const failing = () => {
      throw new Error("no rule today");
    };
    expect(() => choose("/ok", { customRules: { "/ok": failing } })).toThrow("no rule today");
  });
});
