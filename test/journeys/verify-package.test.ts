import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";

const run = promisify(execFile);
const house = join(import.meta.dirname, "..", "..");
const tools = join(house, "node_modules", ".bin");
const token = "a token of a service, for tests";

let stack: Stack;
let folder: string;
let application: string;

/** Runs a program in a folder, with the tools of the house and nothing else of this process. */
const runIn = (cwd: string, program: string, args: string[], environment: object = {}) =>
  run(program, args, {
    cwd,
    env: { PATH: `${tools}:${process.env["PATH"]}`, HOME: folder, ...environment },
  });

/** The package alone, outside the workspace, as `npm pack` makes it. */
const pack = async (): Promise<string> => {
  const copy = join(folder, "libs", "verify");
  await cp(join(house, "libs", "verify"), copy, {
    recursive: true,
    filter: (path) => !/\/(?:dist|node_modules)$/.test(path),
  });
  await cp(join(house, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
  await runIn(copy, "npm", ["pack", "--offline", "--pack-destination", folder]);
  const packed = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  return join(folder, packed ?? "");
};

const readPackage = async (path: string) =>
  JSON.parse(await readFile(join(path, "package.json"), "utf8")) as Record<string, unknown>;

beforeAll(async () => {
  stack = await startStack({ stores: "postgres", config: { serviceTokens: { shop: token } } });
  folder = await mkdtemp(join(tmpdir(), "latchkey-verify-"));
  application = join(folder, "application");
  const installed = join(application, "node_modules", "@latchkey", "verify");
  await mkdir(installed, { recursive: true });
  await runIn(folder, "tar", ["-xzf", await pack(), "-C", installed, "--strip-components=1"]);
  await writeFile(join(application, "package.json"), '{ "type": "module" }');
});
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the package holds what is built of it, its README, and no tests, and may be published", async () => {
  const installed = join(application, "node_modules", "@latchkey", "verify");
  expect(await readdir(installed)).toEqual(["README.md", "dist", "package.json"]);
  const built = await readdir(join(installed, "dist"));
  expect(built).toEqual(expect.arrayContaining(["index.js", "index.d.ts"]));
  expect(built.filter((name) => !/^[a-z-]+(?:\.d\.ts|\.js)$/.test(name))).toEqual([]);
  const own = await readPackage(installed);
  expect(own).not.toHaveProperty("dependencies");
  // A name with a scope is else published to nobody.
  expect(own).toMatchObject({ publishConfig: { access: "public" } });
  expect(own).not.toHaveProperty("private");
  expect(own["license"]).toBe((await readPackage(house))["license"]);
});

test("an application of its own verifies keys with it, in plain JavaScript", async () => {
  const browser = createBrowserLike(stack.url);
  const someone = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  expect((await browser.post("/sign-up/email", someone)).status).toBe(200);
  const created = await browser.post("/api-key/create", { name: "Shop" });
  const { key, userId } = (await created.json()) as { key: string; userId: string };
  await writeFile(
    join(application, "main.js"),
    `import { createVerifier } from "@latchkey/verify";

    const { APIKEY_URL: url, SERVICE_TOKEN: token, KEY } = process.env;
    const { verify } = createVerifier({ url, token });
    console.log(JSON.stringify([await verify(KEY), await verify(KEY + "x")]));
    `,
  );
  const { stdout } = await runIn(application, process.execPath, ["main.js"], {
    APIKEY_URL: stack.running.services["apikey"]?.url,
    SERVICE_TOKEN: token,
    KEY: key,
  });
  expect(JSON.parse(stdout)).toEqual([
    { ok: true, key: expect.objectContaining({ userId, name: "Shop", requestCount: 1 }) },
    { ok: false, reason: "unknown" },
  ]);
});

test("its types stand alone: an application needs those of the web, and none of Node", async () => {
  await writeFile(
    join(application, "main.ts"),
    `import { createVerifier, type Verification, type VerifiedKey } from "@latchkey/verify";

    const says = (result: Verification): VerifiedKey | number | Error | string => {
      if (result.ok) return result.key;
      switch (result.reason) {
        case "rate-limited":
        case "throttled":
          return result.retryAfterMilliseconds;
        case "unavailable":
          return result.cause;
        default:
          return result.reason;
      }
    };
    const verifier = createVerifier({ url: ["https://a.example", "https://b.example"], token: "t" });
    export const said = says(await verifier.verify("k", { permissions: { invoice: ["read"] } }));
    // @ts-expect-error a service token is needed
    createVerifier({ url: "https://a.example" });
    `,
  );
  await writeFile(
    join(application, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        lib: ["es2022", "dom"],
        types: [],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      },
      files: ["main.ts"],
    }),
  );
  await runIn(application, "tsc", []);
});
