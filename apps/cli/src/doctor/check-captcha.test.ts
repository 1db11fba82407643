import { optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { checkCaptcha } from "./check-captcha.ts";

const captcha = { enabled: true, secretKey: "secret" };

test.each([
  ["no finding without a captcha", {}, []],
  ["a warning without a site key", { captcha }, ["warn"]],
  ["no warning with a site key", { captcha: { ...captcha, siteKey: "site" } }, ["ok"]],
  ["no warning without the account web", { captcha, account: { enabled: false } }, ["ok"]],
])("has %s", (_case, options, expected) => {
  const findings = checkCaptcha({ settings: { options: optionsSchema.parse(options) } });
  expect(findings.map(({ status }) => status)).toEqual(expected);
});
