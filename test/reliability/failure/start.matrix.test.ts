import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matrixTest } from "../../harness/matrix.ts";
import { createBrowserLike } from "../../harness/browser-like.ts";
import { childEnvironment } from "../../harness/child-environment.ts";
import { anyPort } from "../../harness/any-port.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const script = join(root, "apps", "all-in-one", "src", "start.ts");
const startMs = 180_000;
const password = "correct horse battery";

interface Running {
  child: ChildProcess;
  /** Base URL with the base path. */
  url: string;
  /** The link that creates the first admin. */
  link: string | undefined;
  postgresPid: number;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** How the program is run: by itself in the folder, or by npm with a variable that names the folder. */
const byItself = (folder: string) =>
  spawn(process.execPath, [script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...childEnvironment(), ...anyPort },
  });
const byNpm = (folder: string) =>
  spawn("npm", ["start"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...childEnvironment(), ...anyPort, DATA_FOLDER: join(folder, ".data") },
  });

/** Runs `npm start` on free ports, with its data in a folder. */
const start = async (folder: string, run = byItself): Promise<Running> => {
  const child = run(folder);
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  const endWithUs = () => child.kill("SIGINT");
  process.on("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  const url = await until(
    () => {
      if (child.exitCode !== null) return "ended";
      return /answers at (\S+)[^]*Ctrl-C/.exec(written)?.[1];
    },
    { timeoutMs: startMs, describe: "the start" },
  );
  if (url === "ended") throw new Error(`npm start ended\n${written}`);
  const lock = await readFile(join(folder, ".data", "postgres", "postmaster.pid"), "utf8");
  const link = /^First admin: (\S+)$/m.exec(written)?.[1];
  return { child, url, link, postgresPid: Number(lock.split("\n", 1)[0]) };
};

const end = async ({ child }: Running, signal: NodeJS.Signals): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
  return child.exitCode;
};

const signIn = async ({ url }: Running, email: string): Promise<number> =>
  (await createBrowserLike(url).post("/sign-in/email", { email, password })).status;

describe("npm start without any configuration", () => {
  let folder: string;
  let running: Running | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "latchkey-start-"));
    await chmod(folder, 0o711); // as root, the account of Postgres needs access
  });
  afterAll(async () => {
    if (running) {
      await end(running, "SIGINT");
      if (isAlive(running.postgresPid)) process.kill(running.postgresPid, "SIGQUIT");
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const startAnew = async (run = byItself): Promise<Running> =>
    (running = await start(folder, run));

  const person = { name: "Ada", email: "first@example.com", password };

  test("keeps its data when it is killed and leaves an orphaned database", async () => {
    const first = await startAnew();
    expect(first.link).toMatch(/^http:\S+\/admin\/first-run#token=\S+$/);
    const browser = createBrowserLike(first.url);
    expect((await browser.post("/sign-up/email", person)).status).toBe(200);
    first.child.kill("SIGHUP"); // as under `nohup`, which Node undoes
    expect(await signIn(first, person.email)).toBe(200);
    await end(first, "SIGKILL");

    const second = await startAnew();
    expect(second.link).toMatch(/#token=/);
    expect(second.link).not.toBe(first.link);
    expect(second.postgresPid).not.toBe(first.postgresPid);
    // The secret was kept too, so the session still works.
    const again = createBrowserLike(second.url);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    const seen = (await (await again.get("/get-session")).json()) as { user: object } | null;
    expect(seen?.user).toMatchObject({ email: person.email });
    expect(await end(second, "SIGINT")).toBe(0);
    expect(isAlive(second.postgresPid)).toBe(false);
  });

  matrixTest("keeps its data in DATA_FOLDER when npm is ended", async () => {
    const first = await startAnew(byNpm);
    const later = { ...person, email: "later@example.com" };
    expect((await createBrowserLike(first.url).post("/sign-up/email", later)).status).toBe(200);
    expect(isAlive(first.postgresPid)).toBe(true);
    await end(first, "SIGTERM");
    await until(() => !isAlive(first.postgresPid), { describe: "the end of Postgres" });
    await expect(fetch(first.url)).rejects.toThrow("fetch failed");

    const second = await startAnew();
    expect(await signIn(second, later.email)).toBe(200);
    expect(await end(second, "SIGINT")).toBe(0);
  });
});
