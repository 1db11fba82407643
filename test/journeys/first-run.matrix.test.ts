import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { anyPort } from "../harness/any-port.ts";

expectNoLeaks("file");

const script = join(import.meta.dirname, "..", "..", "apps", "all-in-one", "src", "start.ts");
const email = "root@example.com";
const password = "correct horse battery";
interface Started {
  /** The base URL with the base path. */
  url: string;
  /** The link to create the first admin, if one was printed. */
  link: URL | undefined;
}

let folder: string;
let serving: ChildProcess | undefined;

/** Runs the program of npm start in a folder that keeps its data. */
const start = async (): Promise<Started> => {
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...childEnvironment(), ...anyPort },
  });
  serving = child;
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  await until(() => written.includes("Ctrl-C stops everything"), {
    timeoutMs: 120_000,
    describe: "the start",
  });
  const printed = /^First admin: (\S+)$/m.exec(written)?.[1];
  return {
    url: /answers at (\S+)/.exec(written)?.[1] ?? "",
    link: printed === undefined ? undefined : new URL(printed),
  };
};
const stop = async () => {
  if (!serving || serving.exitCode !== null) return;
  const ended = once(serving, "close");
  serving.kill("SIGINT");
  await ended;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-first-"));
  await chmod(folder, 0o711); // under root, Postgres's account must be able to traverse it
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const tokenOf = ({ link }: Started) => new URLSearchParams(link?.hash.slice(1)).get("token") ?? "";
const isOpen = async ({ url }: Started, token: string) => {
  const answer = await createBrowserLike(url).post("/admin/first-run/check", { token });
  return ((await answer.json()) as { isOpen: boolean }).isOpen;
};

test("npm start prints a new link at each start until the link creates the first admin", async () => {
  const first = await start();
  expect(first.link?.origin).toBe(new URL(first.url).origin);
  expect(first.link?.pathname).toBe("/admin/first-run");
  expect(first.link?.search).toBe(""); // a query would be logged
  expect(await isOpen(first, tokenOf(first))).toBe(true);
  await stop();

  const second = await start();
  expect(tokenOf(second)).not.toBe(tokenOf(first));
  expect(await isOpen(second, tokenOf(first))).toBe(false);
  const browser = createBrowserLike(second.url);
  const admin = { token: tokenOf(second), name: "Root", email, password };
  expect((await browser.post("/admin/first-run", admin)).status).toBe(200);
  expect((await browser.get("/admin/list-users")).status).toBe(200);
  expect((await createBrowserLike(second.url).post("/admin/first-run", admin)).status).toBe(403);
  await stop();

  const third = await start();
  expect(third.link).toBeUndefined();
  expect(await isOpen(third, tokenOf(second))).toBe(false);
  const signIn = await createBrowserLike(third.url).post("/sign-in/email", { email, password });
  expect(signIn.status).toBe(200);
});
