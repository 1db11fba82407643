import { expect, test } from "vitest";
import { settingsNamed } from "./installation-handlers.ts";

const options = ["secret", "mail", "mail.from", "mail.smtpUrl", "mailer"].map((name) => ({
  name,
  description: "Something.",
  variable: null,
  value: null,
  source: "default" as const,
  isSecret: false,
}));

test.each<[names: string | undefined, expected: string[]]>([
  [undefined, ["secret", "mail", "mail.from", "mail.smtpUrl", "mailer"]],
  ["secret", ["secret"]],
  ["mail", ["mail", "mail.from", "mail.smtpUrl"]],
  ["mail.from,secret", ["secret", "mail.from"]],
  ["mail.from,mail", ["mail", "mail.from", "mail.smtpUrl"]],
  ["nothing", []],
  ["", []],
])("settingsNamed with %j", (names, expected) => {
  expect(settingsNamed(options, names).map(({ name }) => name)).toEqual(expected);
});
