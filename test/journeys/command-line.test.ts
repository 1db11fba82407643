import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../apps/cli/src/doctor/finding.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { roleUrl } from "../harness/database-environment.ts";
import { openRows } from "../harness/rows.ts";
import { startSystem } from "../harness/start-system.ts";
import { representatives } from "../harness/matrix.ts";
import { createMigratedDatabase, createEmptyDatabase } from "../harness/stores.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import {
  type ResidentLatchkey,
  startResidentLatchkey,
} from "../harness/start-resident-latchkey.ts";
import { useSystem } from "../harness/use-system.ts";
import { childEnvironment } from "../harness/child-environment.ts";

expectNoLeaks("file");

const root = join(import.meta.dirname, "..", "..");

/** Contains no comma, because commas separate several secrets in the environment. */
const secret = "a secret of this installation and of no other";

let folder: string;
let resident: ResidentLatchkey;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-commands-"));
  await chmod(folder, 0o711);
  resident = startResidentLatchkey(folder);
});
afterAll(async () => {
  await resident.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command, in a process of its own if it has an input. */
const runIn = (environment: Record<string, string>, args: readonly string[], input?: string) =>
  input === undefined
    ? resident.run(args, environment)
    : runLatchkey(args, { folder, environment, input });

const run = (args: readonly string[], databaseUrl: string, input?: string) =>
  runIn({ DATABASE_URL: databaseUrl, AUTH_SECRET: secret }, args, input);

describe("the command line", () => {
  const bare = (...args: string[]) => runLatchkey(args, { folder });

  const unknown: readonly [args: string[]][] = [[["frobnicate"]], [[]], [["constructor"]]];
  test.each(representatives(unknown, ([[command]]) => command === "frobnicate"))(
    "an unknown command (%j) shows the usage and exits with 2",
    async (args) => {
      const { code, stdout, stderr } = await bare(...args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Usage: npx latchkey <command>");
    },
  );

  test.each(representatives(["help", "--help"], (word) => word === "help"))(
    "%s shows every command",
    async (word) => {
      const { code, stdout } = await bare(word);
      expect(code).toBe(0);
      for (const command of ["create-admin", "rotate-keys", "migrate", "doctor", "help"])
        expect(stdout).toContain(command);
    },
  );

  test("--help of a command shows its options and does nothing else", async () => {
    const { code, stdout } = await bare("create-admin", "--email", newEmail(), "--help");
    expect([code, stdout]).toEqual([0, expect.stringContaining("--password-stdin")]);
  });

  /** Attack: other users read the list of processes and the history of the shell. */
  test("refuses a password among the arguments with exit code 2, and does not repeat it", async () => {
    const commandLine = [
      "create-admin",
      "--email",
      newEmail(),
      "--name",
      "Root",
      "--password",
      "hunter2",
    ];
    const { code, stdout, stderr } = await bare(...commandLine);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("--password-stdin")]);
    expect(stderr).not.toContain("hunter2");
  });

  test("runs by npx in the project, on the Node version of the packages", async () => {
    const manifest = promisify(execFile)("npx", ["latchkey", "--version"], {
      cwd: root,
      env: {
        ...childEnvironment(),
        HOME: folder,
        npm_config_cache: join(folder, "npm"),
        npm_config_offline: "true",
      },
    });
    expect((await manifest).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("types", () => {
  const example = join(root, "docs", "examples", "types");
  const write = (config: string, ...args: string[]) =>
    runIn({ LATCHKEY_CONFIG: config }, ["types", ...args]);
  /** Without what a formatter changes. */
  const bareText = (text: string) => text.replaceAll(/\s|,(?=\s*\])/g, "");

  test("writes the declarations with which the example compiles, and needs no database", async () => {
    const file = join(folder, "latchkey.d.ts");
    await writeFile(file, "older declarations");
    const { code, stderr } = await write(join(example, "latchkey.config.ts"), "--output", file);
    expect([code, stderr]).toEqual([0, ""]);
    const expected = await readFile(join(example, "latchkey.d.ts"), "utf8");
    expect(bareText(await readFile(file, "utf8"))).toBe(bareText(expected));
  });

  test("refuses a broken configuration, and writes nothing", async () => {
    const broken = join(folder, "broken.config.ts");
    await writeFile(broken, "export default { organization: { roles: { 'a,b': {} } } };");
    const { code, stdout, stderr } = await write(broken);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("organization.roles")]);
  });
});

describe("create-admin", () => {
  const { system, rows } = useSystem({
    stores: "postgres",
    config: { secret: [secret] },
    passwords: "real",
  });
  const create = (email: string, input = `${password}\n`, ...more: string[]) =>
    run(
      ["create-admin", "--email", email, "--name", "Root", "--password-stdin", ...more],
      system.databaseUrl,
      input,
    );
  const signIn = async (email: string, password: string) => {
    const browser = createBrowserLike(system.url);
    const { status } = await browser.post("/sign-in/email", { email, password });
    return { status, browser };
  };
  const mayList = async (browser: ReturnType<typeof createBrowserLike>) => {
    const answer = await browser.post("/admin/has-permission", { permissions: { user: ["list"] } });
    return ((await answer.json()) as { success: boolean }).success;
  };

  test("creates an admin with a verified address, who signs in, and an audit row that names the command line", async () => {
    const email = newEmail();
    const { code, stdout, stderr } = await create(email.toUpperCase());
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(`^Created ${email}, role admin, id `),
    ]);
    expect(stdout).toContain("Warning: this admin has no second factor.");
    expect(stdout + stderr).not.toContain(password);
    const { status, browser } = await signIn(email, password);
    expect(status).toBe(200);
    const { user } = (await (await browser.get("/get-session")).json()) as { user: object };
    expect(user).toMatchObject({ email, name: "Root", emailVerified: true, role: "admin" });
    expect(await mayList(browser)).toBe(true);
    expect(
      await rows.query(
        `select actor_kind, actor_id, after->>'role' as role from identity.audit
         where action = 'user.created' and subject_id = (select id from identity."user" where email = $1)`,
        email,
      ),
    ).toEqual([{ actor_kind: "service", actor_id: "npx latchkey", role: "admin" }]);
  });

  /** Attack: reading the log of a pipeline, which would contain a generated password. */
  test("refuses without a terminal and without a password, and creates nobody", async () => {
    const email = newEmail();
    const args = ["create-admin", "--email", email, "--name", "Root"];
    const { code, stdout, stderr } = await run(args, system.databaseUrl, "");
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("--password-stdin")]);
    expect(await rows.query(`select id from identity."user" where email = $1`, email)).toEqual([]);
  });

  test("refuses a taken address, and changes nothing", async () => {
    const { email } = await signUp(system);
    const { code, stderr } = await create(email, "another password\n");
    expect([code, stderr]).toEqual([1, expect.stringContaining("--promote")]);
    const { status, browser } = await signIn(email, password);
    expect([status, await mayList(browser)]).toEqual([200, false]);
  });

  test("--promote makes a user an admin, also in existing sessions; a second run changes nothing", async () => {
    const { email, browser } = await signUp(system);
    expect(await mayList(browser)).toBe(false);
    const promote = ["create-admin", "--email", email, "--promote"];
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout } = await run(promote, system.databaseUrl);
      expect([code, stdout]).toEqual([0, expect.stringContaining("role user,admin")]);
    }
    expect(await mayList(browser)).toBe(true);
    const changes = await rows.query(
      `select actor_id from identity.audit join identity."user" as u on u.id = subject_id
       where action = 'user.role-changed' and email = $1`,
      email,
    );
    expect(changes).toEqual([{ actor_id: "npx latchkey" }]);
  });

  test("--promote refuses an unknown address", async () => {
    const promote = ["create-admin", "--email", newEmail(), "--promote"];
    const { code, stderr } = await run(promote, system.databaseUrl);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Nobody has that address")]);
  });

  const refused: [input: string, reason: string][] = [
    ["short", "Password too short. It needs 8 characters at least"],
    ["x".repeat(129), "Password too long. It may have 128 characters at most"],
    ["\n", "standard input holds no password"],
    ["one line\nanother line\n", "more than one line"],
  ];
  // Each starts a process. One is refused by identity, and one by the command.
  const isFirst = ([input]: (typeof refused)[number]) => input === "short" || input === "\n";
  test.each(representatives(refused, isFirst))(
    "refuses the password %j with a reason, and creates no user",
    async (input, reason) => {
      const email = newEmail();
      const { code, stderr } = await create(email, input);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(await rows.query(`select 1 from identity."user" where email = $1`, email)).toEqual([]);
    },
  );

  test("requests a required additional field, and reads it from --data", async () => {
    const file = join(folder, "fields.json");
    const plan = { type: "string", required: true };
    await writeFile(file, JSON.stringify({ user: { additionalFields: { plan } } }));
    const email = newEmail();
    const withFields = (...more: string[]) =>
      runLatchkey(
        ["create-admin", "--email", email, "--name", "Root", "--password-stdin", ...more],
        {
          folder,
          input: "a long password of mine\n",
          environment: {
            DATABASE_URL: system.databaseUrl,
            AUTH_SECRET: secret,
            LATCHKEY_CONFIG: file,
          },
        },
      );
    const { code, stderr } = await withFields();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/plan is required.*--data/)]);
    expect((await withFields("--data", '{"plan":"staff"}')).code).toBe(0);
    expect(await rows.query(`select extra from identity."user" where email = $1`, email)).toEqual([
      { extra: { plan: "staff" } },
    ]);
  });

  test("refuses a role that is not configured", async () => {
    const file = join(folder, "roles.json");
    await writeFile(file, JSON.stringify({ admin: { adminRoles: ["owner"] } }));
    const environment = { DATABASE_URL: system.databaseUrl, LATCHKEY_CONFIG: file };
    const args = ["create-admin", "--email", newEmail(), "--name", "Root"];
    const { code, stderr } = await runIn(environment, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("admin.adminRoles")]);
  });
});

describe("rotate-keys", () => {
  test("adds a key to /jwks and keeps the previous one", async () => {
    const database = await createMigratedDatabase();
    /** Returns the keys that services publish when they start now. */
    const published = async (): Promise<string[]> => {
      const running = await startSystem({
        stores: { databaseUrl: database.url },
        config: { secret: [secret] },
      });
      try {
        const answer = await fetch(`${running.url}/jwks`);
        const { keys } = (await answer.json()) as { keys: { kid: string }[] };
        return keys.map(({ kid }) => kid);
      } finally {
        await running.stop();
      }
    };
    try {
      const [first = ""] = await published();
      const { code, stdout } = await run(["rotate-keys"], database.url);
      const made = /^New signing key (\w+):/.exec(stdout)?.[1] ?? "";
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(`${first}, stays published until`),
      ]);
      expect(await published()).toEqual([made, first]);
    } finally {
      await database.drop();
    }
  });

  test("is refused if nothing is signed", async () => {
    const file = join(folder, "unsigned.json");
    await writeFile(file, JSON.stringify({ jwt: { enabled: false } }));
    const database = await createMigratedDatabase();
    const environment = { DATABASE_URL: database.url, LATCHKEY_CONFIG: file };
    const { code, stderr } = await runIn(environment, ["rotate-keys"]);
    await database.drop();
    expect([code, stderr]).toEqual([1, expect.stringContaining("jwt.enabled")]);
  });
});

describe("oauth create-client", () => {
  test("creates a client that can authenticate, and records the command line as the actor", async () => {
    const config = { oauthProvider: { enabled: true } };
    const file = join(folder, "provider.json");
    await writeFile(file, JSON.stringify(config));
    const database = await createMigratedDatabase();
    const create = (...args: string[]) => {
      const environment = {
        DATABASE_URL: database.url,
        AUTH_SECRET: secret,
        LATCHKEY_CONFIG: file,
      };
      return runIn(environment, ["oauth", "create-client", "--name", "Reports", ...args]);
    };
    try {
      const refused = await create("--redirect-uri", "http://app.example.com/");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("must be https")]);
      const { stdout } = await create("--type", "machine", "--scope", "reports");
      const [, id = "", clientSecret = ""] =
        /client id (\w+)\.\nSecret, shown this once: (\S+)/.exec(stdout) ?? [];
      const running = await startSystem({
        stores: { databaseUrl: database.url },
        config: { secret: [secret], ...config },
      });
      const rows = openRows(running);
      try {
        const answer = await fetch(`${running.url}/oauth2/token`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa(`${id}:${clientSecret}`)}` },
          body: new URLSearchParams({ grant_type: "client_credentials" }),
        });
        expect(await answer.json()).toMatchObject({ scope: "reports" });
        const actors = "select actor_kind, actor_id, action from oauth.audit where subject_id = $1";
        expect(await rows.query(actors, id)).toEqual([
          { actor_kind: "service", actor_id: "npx latchkey", action: "oauth-client.created" },
        ]);
      } finally {
        await rows.close();
        await running.stop();
      }
    } finally {
      await database.drop();
    }
  });
});

describe("on an empty database", () => {
  let database: { url: string; drop(): Promise<void> };
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database?.drop());

  test("commands require migrate, which creates all schemas once and then reports them as up to date", async () => {
    const admin = ["create-admin", "--email", newEmail(), "--promote"];
    for (const args of [admin, ["rotate-keys"]]) {
      const { code, stderr } = await run(args, database.url);
      expect([code, stderr]).toEqual([1, expect.stringContaining("npx latchkey migrate")]);
    }
    const pending = await run(["doctor"], database.url);
    expect(pending.code).toBe(1);
    expect(pending.stdout).toMatch(
      /^fail {2}schemas: .*identity \(0001_first_tables.*-> run npx latchkey migrate$/m,
    );
    const first = await run(["migrate"], database.url);
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^identity: 0001_first_tables, 0002/m),
    ]);
    const second = await run(["migrate"], database.url);
    expect([second.code, second.stdout]).toEqual([
      0,
      "identity: up to date\norganization: up to date\napikey: up to date\nmailer: up to date\nwebhooks: up to date\noauth: up to date\ngateway: up to date\n",
    ]);
    expect((await run(["doctor"], database.url)).stdout).toMatch(/^ok {4}schemas: up to date$/m);
    expect((await run(["rotate-keys"], database.url)).code).toBe(0);
  });
});

test("migrate creates a role for each service, with which commands and the doctor work", async () => {
  const database = await createEmptyDatabase();
  const file = join(folder, "identity-database-url");
  await writeFile(file, `${roleUrl(database.url, "identity")}\n`);
  const own = { AUTH_SECRET: secret, IDENTITY_DATABASE_URL_FILE: file };
  const inside = (args: readonly string[], environment: Record<string, string> = {}) =>
    runIn({ ...own, ...environment }, args);

  const migrated = await inside(["migrate"], {
    DIRECT_DATABASE_URL: database.url,
    MAILER_DATABASE_URL: roleUrl(database.url, "mailer"),
  });
  expect(migrated.stderr).toBe("");
  expect(migrated.stdout.split("\n").slice(-3)).toEqual([
    "role latchkey_test_identity: reads and writes for identity",
    "role latchkey_test_mailer: reads and writes for mailer",
    "",
  ]);
  const admin = ["create-admin", "--email", newEmail(), "--name", "Root", "--password-stdin"];
  expect(await runIn(own, admin, "a long password of mine\n")).toMatchObject({ code: 0 });
  // The configuration does not say where the mailer's rows are.
  expect(await inside(["migrate", "--service", "mailer"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("databaseUrl: is required"),
  });
  // No other service would read the events that it publishes there.
  expect(await inside(["migrate", "--service", "identity"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Set REDIS_URL"),
  });

  const guest = `latchkey_guest_${randomBytes(6).toString("hex")}`;
  const owner = openRows({ databaseUrl: database.url });
  await owner.query(
    `create role ${guest} login noinherit password 'secret' in role latchkey_test_identity`,
  );
  const guestUrl = new URL(database.url);
  [guestUrl.username, guestUrl.password] = [guest, "secret"];
  await inside(["migrate"], {
    DIRECT_DATABASE_URL: database.url,
    ORGANIZATION_DATABASE_URL: guestUrl.href,
  });
  const environment = {
    MAILER_DATABASE_URL: database.url,
    ORGANIZATION_DATABASE_URL: guestUrl.href,
    APIKEY_DATABASE_URL: roleUrl(database.url, "apikey").replace("of%20a", "of%20no"),
  };
  const looked = await inside(["doctor", "--json"], environment);
  await owner.query(`drop owned by ${guest}`);
  await owner.query(`drop role ${guest}`);
  await owner.close();
  await database.drop();
  const { checks } = JSON.parse(looked.stdout) as { checks: Finding[] };
  const findingOf = (service: string) =>
    checks.find(({ check }) => check === `role of ${service}`) ?? { status: "missing" };
  expect(findingOf("identity")).toMatchObject({
    status: "ok",
    detail: "latchkey_test_identity reads and writes identity, bus and nothing else",
  });
  expect(findingOf("mailer")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining(
      "may read apikey, gateway, identity, oauth, organization, webhooks too",
    ),
    remedy: "use a role that is not a superuser",
  });
  expect(findingOf("apikey")).toMatchObject({
    status: "fail",
    remedy: expect.stringContaining("run npx latchkey migrate as the owner"),
  });
  // The guest may switch to the identity role, of which it is a member.
  expect(findingOf("organization")).toMatchObject({
    status: "fail",
    detail: `${guest} may read identity too`,
  });
  expect(looked.stdout).not.toContain("role%20under");
});

test("refuses a broken configuration with every problem by name, and without its secrets", async () => {
  const environment = {
    DATABASE_URL: "mysql://me:hunter2@localhost/db",
    AUTH_SECRET: "hunter2",
    PORT: "high",
  };
  const { code, stderr } = await runIn(environment, ["migrate"]);
  expect(code).toBe(1);
  for (const name of ["DATABASE_URL", "AUTH_SECRET", "PORT"]) expect(stderr).toContain(`${name}:`);
  expect(stderr).not.toContain("hunter2");
});
