import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConfigurationError } from "./configuration-error.ts";
import { readSecretFiles } from "./read-secret-files.ts";
import { checkSettings, readSettings } from "./settings.ts";

let directory: string;
const pathOf = (name: string) => join(directory, name);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-secrets-"));
  await writeFile(pathOf("database"), "postgres://u:p@file.example/db\n");
  await writeFile(pathOf("secret"), "new secret of 24 letters, old secret of 24 letters\r\n");
  await writeFile(pathOf("tokens"), "billing:0123456789abcdef");
  await writeFile(pathOf("empty"), "\n");
});
afterAll(() => rm(directory, { recursive: true }));

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readSettings({ databaseUrl: "postgres://localhost/db" }, environment);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

test("secrets and addresses are read from the files that variables name, without the newline at their end", () => {
  const { options, given } = readSettings(
    {},
    {
      DATABASE_URL_FILE: pathOf("database"),
      MAILER_DATABASE_URL_FILE: pathOf("database"),
      AUTH_SECRET_FILE: pathOf("secret"),
      SERVICE_TOKENS_FILE: pathOf("tokens"),
      REDIS_URL_FILE: "",
    },
  );
  expect(options).toMatchObject({
    databaseUrl: "postgres://u:p@file.example/db",
    databases: { mailer: { url: "postgres://u:p@file.example/db" } },
    secret: ["new secret of 24 letters", "old secret of 24 letters"],
    serviceTokens: { billing: "0123456789abcdef" },
  });
  expect(given.environment).toEqual([
    "secret",
    "databaseUrl",
    "databases.mailer.url",
    "serviceTokens",
  ]);
});

test("each file that cannot be used is a problem with its variable and path, among all others", () => {
  const problems = problemsOf({
    AUTH_SECRET_FILE: pathOf("absent"),
    SMTP_URL_FILE: pathOf("empty"),
    REDIS_URL_FILE: directory,
    DATABASE_URL: "postgres://localhost/db",
    DATABASE_URL_FILE: pathOf("database"),
    PORT: "high",
  });
  expect(problems).toEqual([
    `AUTH_SECRET_FILE: ${pathOf("absent")} cannot be read (ENOENT)`,
    "DATABASE_URL_FILE: goes without DATABASE_URL",
    `REDIS_URL_FILE: ${directory} cannot be read (EISDIR)`,
    `SMTP_URL_FILE: ${pathOf("empty")} is empty`,
    "PORT: must be a port number",
  ]);
});

test("a file is read once, so that one which is replaced meanwhile is not half believed", async () => {
  await writeFile(pathOf("once"), "a secret that is said once");
  const said = readSecretFiles({ AUTH_SECRET_FILE: pathOf("once") });
  await rm(pathOf("once"));
  const { options, given } = checkSettings({ databaseUrl: "postgres://localhost/db" }, said);
  expect([options.secret, given.environment]).toEqual([["a secret that is said once"], ["secret"]]);
});

/** Who reads a pipe or a device may wait for ever, and hears no signal meanwhile. */
test("what is no regular file is not opened, and what is no text or too large is refused", async () => {
  await writeFile(pathOf("binary"), Buffer.from([0x61, 0xff, 0x62]));
  await writeFile(pathOf("ended"), "postgres://localhost/db\0more");
  await writeFile(pathOf("large"), "a".repeat(64 * 1024 + 1));
  const problems = problemsOf({
    DATABASE_URL_FILE: pathOf("ended"),
    DIRECT_DATABASE_URL_FILE: "/dev/zero",
    REDIS_URL_FILE: pathOf("large"),
    SMTP_URL_FILE: pathOf("binary"),
  });
  expect(problems).toEqual([
    `DATABASE_URL_FILE: ${pathOf("ended")} is no text`,
    "DIRECT_DATABASE_URL_FILE: /dev/zero is no regular file",
    `REDIS_URL_FILE: ${pathOf("large")} is larger than 65536 bytes`,
    `SMTP_URL_FILE: ${pathOf("binary")} is no text`,
  ]);
});

test("what is no secret has no file", () => {
  expect(
    readSettings({ databaseUrl: "postgres://localhost/db" }, { BASE_URL_FILE: pathOf("absent") })
      .options.baseURL,
  ).toBeUndefined();
});
