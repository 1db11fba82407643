import { expect, test } from "vitest";
import { checkNodeEnvironment, findMisspelled } from "./process-variables.ts";

test.each([
  ["TRUSTED_ORIGIN", "TRUSTED_ORIGINS"],
  ["TRUSTED_PROXY", undefined], // three letters differ
  ["database_url", "DATABASE_URL"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["MAIL_FORM", undefined], // a swap may be another word
  ["APP_URLS", "APP_URL"],
  ["API_URL", undefined],
  ["AUTH_SECRETS", "AUTH_SECRET"],
  ["AUTH_SECRET_FLIE", "AUTH_SECRET_FILE"],
  ["PORTS", undefined],
  ["HOME", undefined],
])("%s is reported as a misspelling of %s", (given, meant) => {
  expect(findMisspelled({ [given]: "x" })).toEqual(
    meant === undefined ? [] : [expect.stringContaining(`${given}: `)],
  );
  if (meant !== undefined) expect(findMisspelled({ [given]: "x" })[0]).toContain(`mean ${meant}?`);
});

test("reports nothing if the right variable is set too, or the wrong one is empty", () => {
  expect(findMisspelled({ TRUSTED_ORIGIN: "x", TRUSTED_ORIGINS: "y" })).toEqual([]);
  expect(findMisspelled({ TRUSTED_ORIGIN: "" })).toEqual([]);
});

test.each(["prod", "Production", "PRODUCTION", " production"])(
  "NODE_ENV=%s is a problem",
  (given) => {
    expect(checkNodeEnvironment({ NODE_ENV: given })).toEqual([
      expect.stringContaining("Did you mean production?"),
    ]);
  },
);

test.each([undefined, "", "production", "development", "test", "staging"])(
  "NODE_ENV=%s is no problem",
  (given) => {
    expect(checkNodeEnvironment({ NODE_ENV: given })).toEqual([]);
  },
);
