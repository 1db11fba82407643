import { optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { checkCaptcha } from "./examine.ts";

const captcha = { enabled: true, secretKey: "secret" };

test.each([
  ["no finding without a captcha", {}, []],
  ["a warning without a site key", { captcha }, ["warn"]],
  ["no warning with a site key", { captcha: { ...captcha, siteKey: "site" } }, ["ok"]],
  ["a warning while admins sign in there", { captcha, account: { enabled: false } }, ["warn"]],
  [
    "no warning without the account web",
    { captcha, account: { enabled: false }, admin: { web: false } },
    ["ok"],
  ],
])("has %s", (_case, options, expected) => {
  const findings = checkCaptcha({ settings: { options: optionsSchema.parse(options) } });
  expect(findings.map(({ status }) => status)).toEqual(expected);
});
