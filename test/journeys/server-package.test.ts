import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packLibrary } from "../../scripts/pack-library.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const tools = join(root, "node_modules", ".bin");
const token = "a token of a service, for tests";

let folder: string;
let application: string;

/** Runs a program in a folder with the system's tools only, without this process's environment. */
const runIn = (cwd: string, program: string, args: string[], environment: object = {}) =>
  run(program, args, {
    cwd,
    env: { PATH: `${tools}:${process.env["PATH"]}`, HOME: folder, ...environment },
  });

/** Installs the package in a separate service, as documented. */
const install = async (): Promise<void> => {
  const archive = await packLibrary("server", folder);
  await runIn(application, "npm", ["install", "--offline", archive ?? ""]);
};

const readPackage = async (path: string) =>
  JSON.parse(await readFile(join(path, "package.json"), "utf8")) as Record<string, unknown>;

const { system } = useSystem({ stores: "postgres", config: { serviceTokens: { shop: token } } });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-server-"));
  application = join(folder, "application");
  await mkdir(application);
  await writeFile(join(application, "package.json"), '{ "type": "module" }');
  await install();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the package contains its build and its README but no tests, and is publishable", async () => {
  const installed = join(application, "node_modules", "@latchkey", "server");
  expect(await readdir(installed)).toEqual(["README.md", "dist", "package.json"]);
  const built = await readdir(join(installed, "dist"), { recursive: true });
  expect(built).toEqual(expect.arrayContaining(["index.js", "index.d.ts"]));
  expect(built.filter((name) => !/^[a-z-]+(?:\/[a-z-]+)?(?:\.d\.ts|\.js)?$/.test(name))).toEqual(
    [],
  );
  const own = await readPackage(installed);
  expect(own).not.toHaveProperty("dependencies");
  // Without this, npm publishes a scoped package as private.
  expect(own).toMatchObject({ publishConfig: { access: "public" } });
  expect(own).not.toHaveProperty("private");
  expect(own["license"]).toBe((await readPackage(root))["license"]);
});

/** Creates an API key for a new user. */
const makeKey = async (email: string): Promise<{ key: string; userId: string }> => {
  const { browser } = await signUp(system, { email });
  const created = await browser.post("/api-key/create", { name: "Shop" });
  return (await created.json()) as { key: string; userId: string };
};

test("the Fastify example accepts the key of a new user", async () => {
  const { key, userId } = await makeKey("grace@example.com");
  // Fastify comes from the system. The package is the installed one.
  await symlink(
    join(root, "node_modules", "fastify"),
    join(application, "node_modules", "fastify"),
  );
  await cp(join(root, "docs", "examples", "fastify-verify.ts"), join(application, "server.ts"));
  const port = await freePort();
  const server = spawn(process.execPath, ["server.ts"], {
    cwd: application,
    env: {
      PORT: String(port),
      SERVICE_TOKEN: token,
      APIKEY_URL: system.urlOf("apikey"),
    },
  });
  try {
    const callInvoices = async (method: string, headers: Record<string, string>) => {
      const answer = await fetch(`http://localhost:${port}/invoices`, { method, headers });
      return [answer.status, await answer.json()];
    };
    const shown = { "x-api-key": key };
    await until(() =>
      callInvoices("GET", {}).then(
        () => true,
        () => false,
      ),
    );
    expect(await callInvoices("GET", shown)).toEqual([200, { of: { userId } }]);
    expect(await callInvoices("POST", shown)).toEqual([403, { error: "forbidden" }]);
    expect(await callInvoices("GET", {})).toEqual([401, { error: "malformed" }]);
  } finally {
    server.kill();
    await once(server, "exit");
  }
});

test("a separate application in plain JavaScript verifies keys and sessions with it", async () => {
  const { browser, user, token: sessionToken } = await signUp(system);
  const { key } = (await (await browser.post("/api-key/create", { name: "Shop" })).json()) as {
    key: string;
  };
  const { token: jwt } = (await (await browser.get("/token")).json()) as { token: string };
  await writeFile(
    join(application, "main.js"),
    `import { createLatchkey, createVerifier } from "@latchkey/server";

    const { URL: url, APIKEY_URL, SERVICE_TOKEN: token, KEY, SESSION, JWT } = process.env;
    const { verify } = createVerifier({ url: APIKEY_URL, token, timeoutMilliseconds: 60_000 });
    const { getSession } = createLatchkey({ url, timeoutMilliseconds: 60_000 });
    const from = async (value) => {
      const { source, userId } = await getSession({ headers: { authorization: "Bearer " + value } });
      return [source, userId];
    };
    const results = [await verify(KEY), await verify(KEY + "x"), await from(SESSION), await from(JWT)];
    console.log(JSON.stringify(results));
    `,
  );
  const { stdout } = await runIn(application, process.execPath, ["main.js"], {
    URL: system.url,
    APIKEY_URL: system.urlOf("apikey"),
    SERVICE_TOKEN: token,
    KEY: key,
    SESSION: sessionToken,
    JWT: jwt,
  });
  expect(JSON.parse(stdout)).toEqual([
    { ok: true, key: expect.objectContaining({ userId: user.id, name: "Shop", requestCount: 1 }) },
    { ok: false, reason: "unknown" },
    ["session", user.id],
    ["token", user.id],
  ]);
});

test("its types need those of the web platform, but none of Node", async () => {
  await writeFile(
    join(application, "main.ts"),
    `import {
      createLatchkey,
      createVerifier,
      handBackCookies,
      type Verification,
      type VerifiedKey,
    } from "@latchkey/server";

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
    const latchkey = createLatchkey<{ user: { plan: string } }>({ url: "https://a.example" });
    export const answer = async (request: Request): Promise<Response> => {
      const caller = await latchkey.getSession(request, { live: true });
      const response = new Response(caller.isSignedIn ? caller.user.plan : caller.refusal);
      handBackCookies(response, caller);
      return response;
    };
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
