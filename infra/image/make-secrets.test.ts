import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeSecrets } from "./make-secrets.ts";

let directory: string;
let ownDirectory: string;
beforeEach(async () => {
  ownDirectory = await mkdtemp(join(tmpdir(), "latchkey-given-"));
  directory = await mkdtemp(join(tmpdir(), "latchkey-secrets-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
  await rm(ownDirectory, { recursive: true });
});

const make = () =>
  makeSecrets({
    directory,
    postgres: "postgres:5432/db",
    redis: "redis:6379",
    smtp: "mailpit:1025",
    given: ownDirectory,
  });

const readAll = async (): Promise<Record<string, string>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(directory.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(read));
};

/** A new secret could not open any sealed value. */
test("keeps existing secrets", async () => {
  await make();
  const made = await readAll();
  await make();
  expect(await readAll()).toEqual(made);
});

/** A parser's message in a log would show the start of the file, and new secrets could not open any sealed value. */
test("neither prints nor replaces a damaged file of secrets", async () => {
  await make();
  const path = join(directory, "secrets.json");
  await writeFile(path, '{"authSecret":hunter2');
  await expect(make()).rejects.toThrow(`${path} is damaged`);
  await expect(make()).rejects.not.toThrow("hunter2");
  expect(await readFile(path, "utf8")).toContain("hunter2");
});

test("sixteen concurrent runs produce the same secrets", async () => {
  await Promise.all(Array.from({ length: 16 }, make));
  const made = await readAll();
  await make();
  expect(await readAll()).toEqual(made);
});

test("restores missing files of a container", async () => {
  await make();
  const made = await readAll();
  await rm(join(directory, "identity"), { recursive: true });
  await make();
  expect(await readAll()).toEqual(made);
});

test("a service sees only the password of its own role", async () => {
  await make();
  const made = await readAll();
  const passwords = Object.keys(made)
    .filter((path) => path.endsWith("/database-url"))
    .map((path) => [path.split("/")[0] ?? "", new URL(made[path] ?? "").password] as const);
  expect(new Set(passwords.map(([, password]) => password)).size).toBe(7);
  for (const [folder, password] of passwords)
    for (const [path, text] of Object.entries(made))
      if (text.includes(password))
        expect(path, `the password of ${folder}`).toMatch(
          folder === "operator"
            ? /^(secrets\.json|operator\/|postgres\/)/
            : new RegExp(`^(secrets\\.json|operator/|${folder}/)`),
        );
});

/** Containers of stores run as other accounts, in the group of our account. */
test("the group can read the files of a container, but not secrets.json", async () => {
  await make();
  const modeOf = async (path: string) => (await stat(join(directory, path))).mode & 0o777;
  expect(await modeOf("secrets.json")).toBe(0o600);
  expect(await modeOf("postgres")).toBe(0o750);
  expect(await modeOf("postgres/password")).toBe(0o640);
});

/** An attacker in a container gains only the secrets that it uses. */
test("each container gets only the secrets that it uses", async () => {
  const words = {
    "smtp-url": "smtps://me:word@mail.example",
    "service-tokens": "billing:0123456789abcdef",
    "social-providers": '{"google":{"clientSecret":"google word"}}',
    "captcha-secret-key": "captcha word",
  };
  for (const [name, text] of Object.entries(words)) await writeFile(join(ownDirectory, name), text);
  await make();
  const filesIn = async (folder: string) => (await readdir(join(directory, folder))).toSorted();
  const all = ["auth-secret", "redis-url"];
  expect({
    gateway: await filesIn("gateway"),
    identity: await filesIn("identity"),
    organization: await filesIn("organization"),
    apikey: await filesIn("apikey"),
    mailer: await filesIn("mailer"),
    webhooks: await filesIn("webhooks"),
    oauth: await filesIn("oauth"),
    postgres: await filesIn("postgres"),
    redis: await filesIn("redis"),
  }).toEqual({
    gateway: [...all, "captcha-secret-key"].toSorted(),
    identity: [...all, "database-url", "service-tokens", "social-providers"].toSorted(),
    organization: [...all, "database-url", "service-tokens"].toSorted(),
    apikey: [...all, "database-url", "service-tokens"].toSorted(),
    mailer: [...all, "database-url", "service-tokens", "smtp-url"].toSorted(),
    webhooks: [...all, "database-url", "service-tokens"].toSorted(),
    oauth: [...all, "database-url", "service-tokens"].toSorted(),
    postgres: ["password"],
    redis: ["password", "redis.conf"],
  });
  expect(await readFile(join(directory, "mailer", "smtp-url"), "utf8")).toBe(
    `${words["smtp-url"]}\n`,
  );
});

test("removes a file from every container after the operator removed it", async () => {
  await writeFile(join(ownDirectory, "service-tokens"), "billing:0123456789abcdef");
  await writeFile(join(ownDirectory, "smtp-url"), "smtps://me:word@mail.example");
  await make();
  await rm(join(ownDirectory, "service-tokens"));
  await rm(join(ownDirectory, "smtp-url"));
  await make();
  const made = await readAll();
  expect(Object.keys(made).filter((path) => path.endsWith("service-tokens"))).toEqual([]);
  expect(made["mailer/smtp-url"]).toBe("smtp://mailpit:1025\n");
});
