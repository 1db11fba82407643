import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readDocuments } from "../documents/run-page.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { compose, runScript, untilServing } from "./installation.ts";

const installation = inject("installation");
const url = `${installation.origin}/api/auth`;

/** The commands of the pages that say so above them, by the name of their procedure. */
const procedures = new Map(
  (await readDocuments("docs/*.md", "infra/README.md"))
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ mark, text }) => {
      const name = /^run in containers: (.+)$/.exec(mark ?? "")?.[1];
      return name === undefined ? [] : [[name, text] as const];
    }),
);
const hasRun = new Set<string>();

/** The folder of an operator, with the history of the project. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-operator-"));
  await symlink(join(import.meta.dirname, "..", "..", ".git"), join(folder, ".git"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a documented procedure in the operator's folder. */
const perform = async (name: string): Promise<string> => {
  const script = procedures.get(name);
  if (script === undefined) throw new Error(`no page describes ${name}`);
  hasRun.add(name);
  return runScript(installation, script, folder);
};

const signInStatus = async (email: string): Promise<number> =>
  (await createBrowserLike(url).post("/sign-in/email", { email, password })).status;

/** The image of a running service. */
const imageOf = async (service: string): Promise<string> => {
  const id = (await compose(installation, `ps --quiet ${service}`)).trim();
  return (await runScript(installation, `docker inspect --format {{.Image}} ${id}`)).trim();
};

test("the configuration in /etc/latchkey is TypeScript, and its hook refuses by an error of the image's packages", async () => {
  const body = { email: newEmail(), password, name: "Admin" };
  const refused = await createBrowserLike(url).post("/sign-up/email", body);
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { code: "FORBIDDEN", message: "This name is reserved." },
  ]);
});

test("an upgrade keeps the previous image, to which one can roll back", async () => {
  const { email } = await signUp({ url });
  const before = await imageOf("identity");
  expect(await perform("upgrade")).toMatch(/^ok +gateway health:/m);
  await untilServing(installation);
  expect(await signInStatus(email)).toBe(200);
  const label = await runScript(
    installation,
    "docker inspect --format '{{index .Config.Labels \"org.opencontainers.image.revision\"}}' latchkey:0.1.0",
  );
  expect(label).toMatch(/^[0-9a-f]{40}\n$/);
  expect(await imageOf("identity")).not.toBe(before);
  await perform("roll-back");
  await untilServing(installation);
  expect(await imageOf("identity")).toBe(before);
  expect(await signInStatus(email)).toBe(200);
  await compose(installation, "up --detach --wait");
});

test("no request fails while the replicas restart one after the other", async () => {
  await perform("scale");
  const { browser } = await signUp({ url });
  const failures: number[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const { status } = await browser.get("/get-session?disableCookieCache=true");
      if (status !== 200) failures.push(status);
    }
  };
  const clients = [client(), client()];
  try {
    await perform("rolling-restart");
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  expect(failures).toEqual([]);
  await compose(installation, "--profile scale down --timeout 20");
  await compose(installation, "up --detach --wait");
});

test("a changed password of a role works after the documented commands", async () => {
  const { email } = await signUp({ url });
  await perform("copy-secrets");
  const file = join(folder, "secrets.json");
  const secrets = JSON.parse(await readFile(file, "utf8")) as { roles: Record<string, string> };
  secrets.roles["latchkey_identity"] = "another-password-of-identity";
  await writeFile(file, JSON.stringify(secrets));
  await perform("return-secrets");
  await perform("apply-secrets");
  await untilServing(installation);
  expect(await signInStatus(email)).toBe(200);
});

test("a lost machine is restored from the backup and the copy of the secrets", async () => {
  const { email, browser } = await signUp({ url });
  await perform("backup");
  await perform("copy-secrets");
  const later = newEmail();
  await signUp({ url }, { email: later });
  await compose(installation, "--profile scale down --volumes --timeout 20");
  await perform("return-secrets");
  await perform("restore");
  await untilServing(installation);
  expect(await signInStatus(email)).toBe(200);
  expect(await signInStatus(later)).toBe(401);
  // Sessions were in Redis alone, which starts empty. The cached one of the browser ends with its cookie.
  const session = await browser.get("/get-session?disableCookieCache=true");
  expect(await session.json()).toBeNull();
});

test("each procedure that a page marks was run", () => {
  expect([...hasRun].toSorted()).toEqual([...procedures.keys()].toSorted());
});
