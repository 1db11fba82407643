import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { presentServices } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { anyPort } from "../harness/any-port.ts";

expectNoLeaks("file");

const script = join(import.meta.dirname, "..", "..", "apps", "all-in-one", "src", "start-split.ts");
const startMs = 180_000;
const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

let folder: string;
let running: ChildProcess;
let written = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-start-split-"));
  await chmod(folder, 0o711); // under root, Postgres's account must be able to traverse it
  running = spawn(process.execPath, [script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...childEnvironment(),
      ...anyPort,
    },
  });
  for (const stream of [running.stdout, running.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  await until(() => hasEnded() || written.includes("Ctrl-C stops everything"), {
    timeoutMs: startMs,
    describe: "the start",
  });
  if (hasEnded()) throw new Error(`npm run start:split ended\n${written}`);
}, startMs + 10_000);
afterAll(async () => {
  running.kill("SIGTERM");
  if (!hasEnded()) await once(running, "exit");
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const hasEnded = () => running.exitCode !== null || running.signalCode !== null;
const gateways = () =>
  (/gateways +(.*)/.exec(written)?.[1] ?? "").split(", ").map((origin) => `${origin}/api/auth`);
/** Returns the pids of all processes of a replica so far, oldest first. */
const pidsOf = (replica: string): number[] =>
  [...written.matchAll(new RegExp(`^${replica} .*process (\\d+)`, "gm"))].map(([, pid]) =>
    Number(pid),
  );
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("npm run start:split runs two replicas of each service with shared state, restarts one that dies, and ends all together", async () => {
  const [first = "", second = ""] = gateways();
  const browser = createBrowserLike(first);
  expect((await browser.post("/sign-up/email", person)).status).toBe(200);
  const elsewhere = createBrowserLike(second);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const seen = async () => {
    const answer = await elsewhere.get("/get-session");
    return ((await answer.json()) as { user: { email: string } } | null)?.user.email;
  };
  expect(await seen()).toBe(person.email);

  process.kill(pidsOf("identity.1")[0] ?? 0, "SIGKILL");
  await until(() => /^identity.1 .*is ready again/m.test(written), { timeoutMs: startMs });
  expect(written).toMatch(/^identity.1 +\| ended by SIGKILL; starts again in 0.5 s$/m);
  expect(await seen()).toBe(person.email);

  // Simulates `nohup` and a closed terminal: nothing reads the output, and SIGHUP does not end the services.
  running.kill("SIGHUP");
  expect(await seen()).toBe(person.email);
  for (const output of [running.stdout, running.stderr]) output?.destroy();
  running.kill("SIGTERM");
  await once(running, "exit");
  expect(running.exitCode).toBe(0);
  const replicas = presentServices({
    oauthProvider: { enabled: false },
    deviceAuthorization: { enabled: false },
  }).flatMap((service) => [`${service}.1`, `${service}.2`]);
  const pids = replicas.flatMap(pidsOf);
  expect(pids).toHaveLength(replicas.length + 1);
  expect(pids.filter(isAlive)).toEqual([]);
});
