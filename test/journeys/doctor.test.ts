import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, freePort, startRedisServer } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../apps/cli/src/doctor/finding.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import {
  type ResidentLatchkey,
  startResidentLatchkey,
} from "../harness/start-resident-latchkey.ts";
import { createEmptyDatabase } from "../harness/stores.ts";

expectNoLeaks("file");

/** Is in every configuration here that can contain a secret, and must not appear in any output. */
const hidden = "hunter2-hunter2-hunter2-hunter2-hunter2";

const secret = "a secret of this installation and of no other";

let folder: string;
let latchkey: ResidentLatchkey;
let system: System;
let rows: Rows;
let sound: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-doctor-"));
  latchkey = startResidentLatchkey(folder);
  system = await startSystem({ stores: "postgres", config: { secret: [secret] } });
  rows = openRows(system);
  // Creates the first signing key, which is created at its first use at the latest.
  expect((await createBrowserLike(system.url).get("/jwks")).status).toBe(200);
  const smtp = new URL(system.smtp.url);
  sound = {
    DATABASE_URL: system.databaseUrl,
    AUTH_SECRET: secret,
    SMTP_URL: `smtp://me:${hidden}@${smtp.host}`,
    SERVICE_TOKENS: `billing:${hidden}`,
    GATEWAY_URL: system.origin,
    GATEWAY_INTERNAL_PORT: "0",
    IDENTITY_URL: system.urlOf("identity"),
    ORGANIZATION_URL: system.urlOf("organization"),
    APIKEY_URL: system.urlOf("apikey"),
    MAILER_URL: system.urlOf("mailer"),
    WEBHOOKS_URL: system.urlOf("webhooks"),
  };
});
afterAll(async () => {
  await latchkey?.stop();
  await rows?.close();
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Examined {
  code: number | null;
  checks: Finding[];
  of(check: string): Pick<Finding, "status" | "detail" | "remedy">[];
}

/** Runs the doctor in a sound environment with some variables replaced. */
const examine = async (broken: Readonly<Record<string, string>> = {}): Promise<Examined> => {
  const environment = { ...sound, ...broken };
  const { code, stdout, stderr } = await latchkey.run(["doctor", "--json"], environment);
  for (const secret of [hidden, environment["AUTH_SECRET"] || hidden])
    expect(stdout + stderr).not.toContain(secret);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  expect(ok).toBe(code === 0);
  const of = (name: string) =>
    checks.filter(({ check }) => check === name).map(({ check: _, ...finding }) => finding);
  return { code, checks, of };
};

const statuses = ({ checks }: Examined, status: Finding["status"]) =>
  checks.filter((finding) => finding.status === status).map(({ check }) => check);

test("reports a sound installation as healthy in all checks", async () => {
  const found = await examine();
  expect([found.code, statuses(found, "fail"), statuses(found, "warn")]).toEqual([0, [], []]);
  expect(statuses(found, "ok")).toEqual([
    "node",
    "configuration",
    "secret",
    "base URL",
    "trusted origins",
    "application",
    "database",
    "pg_trgm",
    "schemas",
    "rights",
    "signing keys",
    "second factors",
    "admins",
    "outbox identity",
    "outbox organization",
    "outbox apikey",
    "outbox mailer",
    "outbox webhooks",
    "queue identity",
    "queue mailer",
    "queue organization",
    "queue apikey",
    "queue webhooks",
    "redis",
    "mail",
    "gateway",
    "gateway health",
    "identity",
    "organization",
    "apikey",
    "mailer",
    "webhooks",
  ]);
});

test("prints the same results as text, one line per check", async () => {
  const { code, stdout } = await runLatchkey(["doctor"], { folder, environment: sound });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {4}database: Postgres \d+\S* at \S+$/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("0 failed, 0 to look at, 32 in order");
});

test("sends nothing to the SMTP server, and writes nothing into the folder", async () => {
  await examine();
  expect(system.smtp.mails).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

const withHost = (url: string, change: (url: URL) => void) => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};

describe("the doctor reports each fault with its remedy, and still runs the other checks", () => {
  const cases: [
    what: string,
    check: string,
    remedy: string,
    broken: () => Promise<Record<string, string>> | Record<string, string>,
  ][] = [
    [
      "no database there",
      "database",
      "start Postgres at",
      async () => ({ DATABASE_URL: `postgres://me:${hidden}@127.0.0.1:${await freePort()}/db` }),
    ],
    [
      "a user whom the database refuses",
      "database",
      "user",
      () => ({
        DATABASE_URL: withHost(system.databaseUrl, (url) => {
          url.username = "nobody";
          url.password = hidden;
        }),
      }),
    ],
    [
      "a database that is not there",
      "database",
      "create that database",
      () => ({ DATABASE_URL: withHost(system.databaseUrl, (url) => (url.pathname = "/nowhere")) }),
    ],
    [
      "a service's own role that is turned away",
      "outbox apikey",
      "fix user and password in APIKEY_DATABASE_URL",
      () => ({
        APIKEY_DATABASE_URL: withHost(system.databaseUrl, (url) => (url.password = hidden)),
      }),
    ],
    [
      "no direct database there",
      "direct database",
      "DIRECT_DATABASE_URL",
      async () => ({ DIRECT_DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/db` }),
    ],
    [
      "no Redis there",
      "redis",
      "start Redis at",
      async () => ({ REDIS_URL: `redis://:${hidden}@127.0.0.1:${await freePort()}` }),
    ],
    [
      "no SMTP server there",
      "mail",
      "start the SMTP server at",
      async () => ({ SMTP_URL: `smtp://me:${hidden}@127.0.0.1:${await freePort()}` }),
    ],
    [
      "another secret",
      "signing keys",
      "list that secret again",
      () => ({ AUTH_SECRET: "a secret that has sealed nothing so far" }),
    ],
    [
      "a program of others in a service's place",
      "identity",
      "change IDENTITY_PORT",
      () => ({ IDENTITY_URL: "", IDENTITY_PORT: new URL(system.origin).port }),
    ],
    [
      "two services with one port",
      "mailer",
      "change MAILER_PORT",
      async () => ({
        IDENTITY_URL: "",
        IDENTITY_PORT: "4990",
        MAILER_URL: "",
        MAILER_PORT: "4990",
      }),
    ],
    ["a port that is none", "configuration", "fix PORT", () => ({ PORT: "high" })],
    [
      "an address that is none",
      "database",
      "set DATABASE_URL",
      () => ({ DATABASE_URL: "mysql://x" }),
    ],
  ];
  test.each(cases)("%s", async (_what, check, remedy, broken) => {
    const found = await examine(await broken());
    expect(found.code).toBe(1);
    expect(found.of(check)).toContainEqual(
      expect.objectContaining({ status: "fail", remedy: expect.stringContaining(remedy) }),
    );
    for (const checked of ["database", "redis", "mail", "gateway", "mailer", "secret"])
      expect(found.of(checked)).toHaveLength(1);
  });

  test("everything at once", async () => {
    const port = await freePort();
    const found = await examine({
      DATABASE_URL: `postgres://me:${hidden}@127.0.0.1:${port}/db`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      BASE_URL: "nowhere",
    });
    expect(statuses(found, "fail")).toEqual(["configuration", "database", "redis", "mail"]);
  });
});

describe("servers that accept connections and do not respond", () => {
  let mute: Server;
  const taken = new Set<Socket>();
  beforeAll(async () => {
    mute = createServer((socket) => {
      taken.add(socket);
      socket.on("error", () => {});
    }).listen(0, "127.0.0.1");
    await once(mute, "listening");
  });
  afterAll(async () => {
    for (const socket of taken) socket.destroy();
    mute.close();
    await once(mute, "close");
  });

  test("do not block the doctor: their checks fail, and the others run", async () => {
    const at = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const found = await examine({
      DATABASE_URL: `postgres://me:${hidden}@${at}/db`,
      REDIS_URL: `redis://${at}`,
      SMTP_URL: `smtp://${at}`,
      IDENTITY_URL: `http://${at}`,
    });
    expect(statuses(found, "fail")).toEqual(["database", "redis", "mail", "identity"]);
    expect(found.of("mailer")).toEqual([expect.objectContaining({ status: "ok" })]);
  });
});

describe("the configuration", () => {
  test("is checked completely, each problem is reported by name, and valid values are used", async () => {
    const file = join(folder, "broken.json");
    await writeFile(
      file,
      JSON.stringify({ session: { expiresIn: "long" }, colour: 1, secret: ["short"], appName: 5 }),
    );
    const found = await examine({ LATCHKEY_CONFIG: file, AUTH_SECRET: "" });
    await rm(file);
    const named = found.of("configuration").map(({ detail }) => detail.split(":")[0]);
    expect(named.toSorted()).toEqual(["appName", "options", "secret.0", "session.expiresIn"]);
    for (const { remedy } of found.of("configuration"))
      expect(remedy).toContain("docs/configuration.md");
    expect(found.of("database")).toEqual([expect.objectContaining({ status: "ok" })]);
  });

  test("is reported as a problem if its file cannot be read", async () => {
    const file = join(folder, "torn.json");
    await writeFile(file, "{");
    const found = await examine({ LATCHKEY_CONFIG: file });
    await rm(file);
    expect(found.of("configuration")).toEqual([
      expect.objectContaining({ status: "fail", detail: expect.stringContaining("torn.json") }),
    ]);
    expect(found.of("schemas")).toEqual([expect.objectContaining({ status: "ok" })]);
  });

  test("requires a secret, an SMTP server and a base URL in production", async () => {
    const found = await examine({ NODE_ENV: "production", AUTH_SECRET: "", SMTP_URL: "" });
    const named = found.of("configuration").map(({ detail }) => detail.split(":")[0]);
    expect(named).toEqual(["secret", "mail.smtpUrl", "baseURL"]);
    expect(found.of("secret")).toEqual([
      expect.objectContaining({ status: "fail", remedy: expect.stringContaining("AUTH_SECRET") }),
    ]);
  });

  test("causes a warning in production about addresses without https", async () => {
    const found = await examine({
      NODE_ENV: "production",
      BASE_URL: "http://auth.example.com",
      TRUSTED_ORIGINS: "http://app.example.com,https://other.example.com",
    });
    expect([found.code, statuses(found, "warn")]).toEqual([
      0,
      ["base URL", "trusted origins", "application"],
    ]);
  });

  test("causes a warning in production for trusted hosts while no proxy can report https", async () => {
    const hosts = {
      NODE_ENV: "production",
      TRUSTED_HOSTS: "auth.example.com",
      APP_URL: "https://app.example.com",
    };
    const alone = await examine(hosts);
    expect([alone.code, statuses(alone, "warn")]).toEqual([0, ["base URL"]]);
    expect(alone.of("base URL")[0]?.detail).toContain("cookies are not Secure");
    expect(alone.of("base URL")[0]?.remedy).toContain("TRUSTED_PROXIES");
    const behindProxy = await examine({ ...hosts, TRUSTED_PROXIES: "10.0.0.1" });
    expect(statuses(behindProxy, "warn")).toEqual([]);
  });

  test.each([
    ["short", "a secret of 24 letters..", "24 characters"],
    ["the default one", "latchkey-default-secret-for-development", "everybody knows"],
  ])("causes a warning about a secret that is %s", async (_what, secret, detail) => {
    const found = await examine({ AUTH_SECRET: secret });
    expect(found.of("secret")).toEqual([
      expect.objectContaining({ status: "warn", detail: expect.stringContaining(detail) }),
    ]);
  });
});

test("without any configuration it reports what npm start would do, and no check fails", async () => {
  const ports = ["PORT", "IDENTITY_PORT", "MAILER_PORT", "GATEWAY_INTERNAL_PORT"];
  const environment = Object.fromEntries(ports.map((name) => [name, "0"]));
  const { code, stdout } = await runLatchkey(["doctor"], { folder, environment });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^warn {2}database: no DATABASE_URL; .* -> run npm start/m);
  expect(await readdir(folder)).toEqual([]);
});

/** Runs an unrelated program on a port during `work`. */
const withProgram = async (
  answer: (response: ServerResponse) => void,
  work: (port: number) => Promise<void>,
) => {
  const program = createHttpServer((_request, response) => answer(response));
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  try {
    await work((program.address() as AddressInfo).port);
  } finally {
    program.close();
    program.closeAllConnections();
  }
};

test("reports that a port is free, or whether a service or another program uses it", () =>
  withProgram(
    (response) => response.end("{}"),
    async (taken) => {
      const free = await freePort();
      const found = await examine({
        GATEWAY_URL: "",
        PORT: String(free),
        MAILER_URL: "",
        MAILER_PORT: String(taken),
      });
      expect(found.of("gateway")).toEqual([
        { status: "ok", detail: `does not run; port ${free} is free` },
      ]);
      const detail = expect.stringContaining("another program") as unknown;
      expect(found.of("mailer")).toEqual([expect.objectContaining({ status: "fail", detail })]);
    },
  ));

test("reports a service that cannot reach a store, with the store", () =>
  withProgram(
    (response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ checks: { postgres: true, bus: false } }));
    },
    async (port) => {
      const url = `http://127.0.0.1:${port}`;
      const found = await examine({ IDENTITY_URL: url });
      const detail = `${url} runs, but lacks bus`;
      expect(found.of("identity")).toEqual([expect.objectContaining({ status: "fail", detail })]);
    },
  ));

test("warns of a remote service that does not answer", async () => {
  const found = await examine({ MAILER_URL: `http://127.0.0.1:${await freePort()}` });
  expect([found.code, statuses(found, "warn")]).toEqual([0, ["mailer"]]);
});

describe("Redis", () => {
  const withRedis = async (args: string[], work: (address: string) => Promise<void>) => {
    const redis = await startRedisServer({ args });
    try {
      await work(`127.0.0.1:${redis.port}`);
    } finally {
      await redis.stop();
    }
  };

  test("causes a warning if it may lose or evict data, and its queues are counted", () =>
    withRedis(["--maxmemory-policy", "allkeys-lru"], async (address) => {
      const found = await examine({ REDIS_URL: `redis://${address}` });
      const warned = ["redis persistence", "redis memory"];
      expect([found.code, statuses(found, "warn")]).toEqual([0, warned]);
      expect(found.of("queue mailer")).toEqual([expect.objectContaining({ status: "ok" })]);
    }));

  test("is healthy if it keeps everything; a wrong password is reported", () =>
    withRedis(["--appendonly", "yes", "--requirepass", "the right one"], async (address) => {
      const good = await examine({ REDIS_URL: `redis://:the%20right%20one@${address}` });
      expect([good.code, statuses(good, "warn")]).toEqual([0, []]);
      const bad = await examine({ REDIS_URL: `redis://:${hidden}@${address}` });
      const remedy = "fix user and password in REDIS_URL";
      expect(bad.of("redis")).toEqual([expect.objectContaining({ status: "fail", remedy })]);
    }));
});

test("reports unpublished events, with their number and age", async () => {
  await rows.query(
    `insert into identity.outbox (id, name, version, occurred_at, data)
     values ('waiting', 'of.another.version', 1, now() - interval '1 hour', '{}')`,
  );
  const found = await examine();
  await rows.query("delete from identity.outbox where id = 'waiting'");
  expect([found.code, found.of("outbox identity")]).toEqual([
    0,
    [expect.objectContaining({ status: "warn", detail: expect.stringContaining("1 event waits") })],
  ]);
});

describe("a database user who may only read and write", () => {
  const role = `latchkey_guest_${randomBytes(6).toString("hex")}`;
  const asGuest = (url: string) =>
    withHost(url, (changed) => {
      changed.username = role;
      changed.password = hidden;
    });
  beforeAll(async () => {
    await rows.query(`create role ${role} login password '${hidden}'`);
    const schemas = "schema identity, organization, apikey, mailer, webhooks, gateway, bus";
    await rows.query(`grant usage on ${schemas} to ${role}`);
    await rows.query(`grant select on all tables in ${schemas} to ${role}`);
  });
  afterAll(async () => {
    await rows.query(`drop owned by ${role}`);
    await rows.query(`drop role ${role}`);
  });

  test("is reported to need another user for migrations, if none are pending", async () => {
    const found = await examine({ DATABASE_URL: asGuest(system.databaseUrl) });
    expect([found.code, statuses(found, "warn")]).toEqual([0, ["rights"]]);
  });

  test("fails the check if migrations are pending", async () => {
    const empty = await createEmptyDatabase();
    const found = await examine({ DATABASE_URL: asGuest(empty.url) });
    await empty.drop();
    expect(statuses(found, "fail")).toEqual(["schemas", "rights"]);
  });
});
