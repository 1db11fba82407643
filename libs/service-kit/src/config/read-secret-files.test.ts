import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

test("reads secrets and addresses from the named files without the final newline", () => {
  const { options, given: sources } = readSettings(
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
  expect(sources.environment).toEqual([
    "secret",
    "databaseUrl",
    "databases.mailer.url",
    "serviceTokens",
  ]);
});

test("reports each unusable file with its variable and path", () => {
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
    "DATABASE_URL_FILE: cannot be combined with DATABASE_URL",
    `REDIS_URL_FILE: ${directory} cannot be read (EISDIR)`,
    `SMTP_URL_FILE: ${pathOf("empty")} is empty`,
    "PORT: must be a port number",
  ]);
});

test("reads each file once, so that a replacement has no partial effect", async () => {
  await writeFile(pathOf("once"), "a secret that is read once");
  const environmentTexts = readSecretFiles({ AUTH_SECRET_FILE: pathOf("once") });
  await rm(pathOf("once"));
  const { options, given: sources } = checkSettings(
    { databaseUrl: "postgres://localhost/db" },
    environmentTexts,
  );
  expect([options.secret, sources.environment]).toEqual([
    ["a secret that is read once"],
    ["secret"],
  ]);
});

/** Reading a pipe or a device may block forever, without handling signals. */
test("rejects files that are not regular, not text or too large", async () => {
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
    `DATABASE_URL_FILE: ${pathOf("ended")} is not text`,
    "DIRECT_DATABASE_URL_FILE: /dev/zero is not a regular file",
    `REDIS_URL_FILE: ${pathOf("large")} is larger than 65536 bytes`,
    `SMTP_URL_FILE: ${pathOf("binary")} is not text`,
  ]);
});

test("ignores the file form of a variable that is not secret", () => {
  expect(
    readSettings({ databaseUrl: "postgres://localhost/db" }, { BASE_URL_FILE: pathOf("absent") })
      .options.baseURL,
  ).toBeUndefined();
});

describe("a folder of secrets", () => {
  let folder: string;
  beforeAll(async () => {
    folder = join(directory, "folder");
    await mkdir(folder);
    const files = {
      "database-url": "postgres://u:p@folder.example/db\n",
      "auth-secret": "a secret of the folder\n",
      "smtp-url": "smtps://me:word@mail.example\n",
      "service-tokens": "billing:0123456789abcdef\n",
      "captcha-secret-key": "captcha word\n",
      "social-providers": '{"google":{"clientSecret":"google word"}}\n',
      "another-program": "left alone",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  });

  test("reads every secret from the file with its variable's name", () => {
    const tree = { socialProviders: { google: { clientId: "shown" } } };
    const { options } = readSettings(tree, { SECRETS_FOLDER: folder });
    expect(options).toMatchObject({
      databaseUrl: "postgres://u:p@folder.example/db",
      secret: ["a secret of the folder"],
      mail: { smtpUrl: "smtps://me:word@mail.example" },
      serviceTokens: { billing: "0123456789abcdef" },
      captcha: { secretKey: "captcha word" },
      socialProviders: { google: { clientId: "shown", clientSecret: "google word" } },
    });
  });

  test("prefers a variable and its file form over the folder", () => {
    const { texts } = readSecretFiles({
      SECRETS_FOLDER: folder,
      SMTP_URL: "smtp://localhost",
      DATABASE_URL_FILE: pathOf("database"),
    });
    expect(texts).toMatchObject({
      SMTP_URL: "smtp://localhost",
      DATABASE_URL: "postgres://u:p@file.example/db",
    });
  });

  test("reports a missing folder, and an unusable file without its contents", async () => {
    expect(problemsOf({ SECRETS_FOLDER: pathOf("absent") })).toEqual([
      `SECRETS_FOLDER: ${pathOf("absent")} cannot be read (ENOENT)`,
    ]);
    const broken = pathOf("broken");
    await mkdir(broken);
    await writeFile(join(broken, "social-providers"), '{"google":{"clientSecret":"hunter2"');
    await writeFile(join(broken, "redis-url"), "");
    const problems = problemsOf({ SECRETS_FOLDER: broken });
    expect(problems).toEqual([
      `SECRETS_FOLDER: ${join(broken, "redis-url")} is empty`,
      expect.stringMatching(/^SOCIAL_PROVIDERS: /),
    ]);
    expect(problems.join()).not.toContain("hunter2");
  });
});
