import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeSecrets } from "./make-secrets.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-secrets-"));
});
afterEach(() => rm(directory, { recursive: true }));

const make = () => makeSecrets({ directory, postgres: "postgres:5432/db", redis: "redis:6379" });

const readAll = async (): Promise<Record<string, string>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(directory.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(read));
};

/** Everything is sealed under the secret: another one would lose it. */
test("what was made is never made anew", async () => {
  await make();
  const made = await readAll();
  await make();
  expect(await readAll()).toEqual(made);
});

/** A log would tell the start of it, and new ones would open nothing of what is sealed. */
test("what was damaged is neither told nor made anew", async () => {
  await make();
  const path = join(directory, "secrets.json");
  await writeFile(path, '{"authSecret":hunter2');
  await expect(make()).rejects.toThrow(`${path} is not as it was made`);
  await expect(make()).rejects.not.toThrow("hunter2");
  expect(await readFile(path, "utf8")).toContain("hunter2");
});

test("of sixteen who make them at once, all have made the same", async () => {
  await Promise.all(Array.from({ length: 16 }, make));
  const made = await readAll();
  await make();
  expect(await readAll()).toEqual(made);
});

test("what was lost of a container's files is written again", async () => {
  await make();
  const made = await readAll();
  await rm(join(directory, "identity"), { recursive: true });
  await make();
  expect(await readAll()).toEqual(made);
});

test("a service is told its own role's password and no other", async () => {
  await make();
  const made = await readAll();
  const passwords = Object.keys(made)
    .filter((path) => path.endsWith("/database-url"))
    .map((path) => [path.split("/")[0] ?? "", new URL(made[path] ?? "").password] as const);
  expect(new Set(passwords.map(([, password]) => password)).size).toBe(6);
  for (const [folder, password] of passwords)
    for (const [path, text] of Object.entries(made))
      if (text.includes(password))
        expect(path, `the password of ${folder}`).toMatch(
          folder === "operator"
            ? /^(secrets\.json|operator\/|postgres\/)/
            : new RegExp(`^(secrets\\.json|operator/|${folder}/)`),
        );
});

/** Containers of stores have accounts of their own, and the group of ours. */
test("the files of a container are for its group, and all secrets together for nobody else", async () => {
  await make();
  const modeOf = async (path: string) => (await stat(join(directory, path))).mode & 0o777;
  expect(await modeOf("secrets.json")).toBe(0o600);
  expect(await modeOf("postgres")).toBe(0o750);
  expect(await modeOf("postgres/password")).toBe(0o640);
});
