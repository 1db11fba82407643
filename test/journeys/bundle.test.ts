import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyPort } from "../harness/any-port.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { createEmptyDatabase } from "../harness/stores.ts";
import { newEmail } from "../harness/users.ts";

const root = join(import.meta.dirname, "..", "..");

/** Its package is found neither in this folder nor in one above. */
const config = `
import { WireError } from "@latchkey/contracts";
import { refuseCommonPasswords } from "./refuse-common-passwords.ts";

export default {
  account: { enabled: false },
  admin: { web: false },
  hooks: { before: refuseCommonPasswords(new Set(["password1"])) },
  databaseHooks: {
    user: {
      create: {
        before: ({ name }: { name: string }) => {
          if (name === "Throws") throw new WireError("VALIDATION_ERROR", { status: 409, message: "No such name" });
        },
        after: async ({ name }: { name: string }) => {
          if (name === "Later") throw new (await import("./later.ts")).WireError("FORBIDDEN");
        },
      },
    },
  },
};
`;

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let child: ChildProcess;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-bundle-"));
  const example = "refuse-common-passwords.ts";
  await copyFile(join(root, "docs", "examples", example), join(folder, example));
  await writeFile(join(folder, "later.ts"), `export { WireError } from "@latchkey/contracts";`);
  await writeFile(join(folder, "latchkey.config.ts"), config);
  database = await createEmptyDatabase();
  let written = "";
  child = spawn(
    process.execPath,
    [join(root, "scripts", "run.js"), "apps/all-in-one/src/start.ts"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...childEnvironment(), ...anyPort, DATABASE_URL: database.url },
    },
  );
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  url = await until(() => /answers at (\S+)[^]*Ctrl-C/.exec(written)?.[1], {
    timeoutMs: 240_000,
    describe: "the start",
  });
});
afterAll(async () => {
  const ended = once(child, "close");
  child.kill("SIGINT");
  await ended;
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const signUp = async (own: { name?: string; password?: string }) => {
  const body = { name: "Ada", email: newEmail(), password: "correct horse battery", ...own };
  return readResponse(await createBrowserLike(url).post("/sign-up/email", body));
};

test("the bundle of npm start answers with the error that a hook of the configuration throws", async () => {
  expect(await signUp({ password: "Password1" })).toEqual(
    errorResponse(400, "VALIDATION_ERROR", "Password is too common"),
  );
  expect(await signUp({ name: "Throws" })).toEqual(
    errorResponse(409, "VALIDATION_ERROR", "No such name"),
  );
});

test("a configured function can import a package of Latchkey later", async () => {
  expect((await signUp({ name: "Later" })).status).toBe(403);
  expect((await signUp({})).status).toBe(200);
});
