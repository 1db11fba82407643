import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  expectNoLeaks,
  freePort,
  startPgBouncer,
  startRedisServer,
  throughPooler,
} from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Finding } from "../../apps/cli/src/doctor/finding.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import {
  type ResidentLatchkey,
  startResidentLatchkey,
} from "../harness/start-resident-latchkey.ts";
import { representatives } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { createEmptyDatabase } from "../harness/stores.ts";

expectNoLeaks("file");

/** Is in every configuration here that can contain a secret, and must not appear in any output. */
const hidden = "hunter2-hunter2-hunter2-hunter2-hunter2";

const secret = "a secret of this installation and of no other";

let folder: string;
let latchkey: ResidentLatchkey;
let sound: Record<string, string>;
const { system, rows } = useSystem(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-doctor-"));
  latchkey = startResidentLatchkey(folder);
  return { stores: "postgres", config: { secret: [secret] } };
});
beforeAll(async () => {
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
  await rm(folder, { recursive: true, force: true });
});

interface Examined {
  code: number | null;
  checks: Finding[];
  findingsOf(check: string): Pick<Finding, "status" | "detail" | "remedy">[];
}

/** Runs the doctor in a sound environment with some variables replaced. */
const examine = async (broken: Readonly<Record<string, string>> = {}): Promise<Examined> => {
  const environment = { ...sound, ...broken };
  const { code, stdout, stderr } = await latchkey.run(["doctor", "--json"], environment);
  for (const secret of [hidden, environment["AUTH_SECRET"] || hidden])
    expect(stdout + stderr).not.toContain(secret);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  expect(ok).toBe(code === 0);
  const findingsOf = (name: string) =>
    checks.filter(({ check }) => check === name).map(({ check: _, ...finding }) => finding);
  return { code, checks, findingsOf };
};

const statuses = ({ checks }: Examined, status: Finding["status"]) =>
  checks.filter((finding) => finding.status === status).map(({ check }) => check);

test("reports a sound installation as healthy in all checks", async () => {
  const report = await examine();
  expect([report.code, statuses(report, "fail"), statuses(report, "warn")]).toEqual([0, [], []]);
  expect(statuses(report, "ok")).toEqual([
    "node",
    "configuration",
    "secret",
    "base URL",
    "trusted origins",
    "application",
    "database",
    "prepared statements",
    "pg_trgm",
    "schemas",
    "rights",
    "signing keys",
    "admins",
    "oauth clients",
    "sealed values of identity",
    "sealed values of organization",
    "sealed values of apikey",
    "sealed values of mailer",
    "sealed values of webhooks",
    "sealed values of oauth",
    "outbox identity",
    "outbox organization",
    "outbox apikey",
    "outbox mailer",
    "outbox webhooks",
    "outbox oauth",
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
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("0 failed, 0 to look at, 40 in order");
});

test("names the variable for a pooler that loses prepared statements", async () => {
  const pooler = await startPgBouncer({
    databaseUrl: inject("databaseUrl"),
    preparedStatementsMax: 0,
  });
  try {
    const database = { DATABASE_URL: throughPooler(pooler.url, system.databaseUrl) };
    const direct = { DIRECT_DATABASE_URL: system.databaseUrl };
    const lost = await examine({ ...database, ...direct });
    const remedy = expect.stringContaining("DATABASE_PREPARED_STATEMENTS=false") as unknown;
    expect(lost.findingsOf("prepared statements")).toEqual([
      expect.objectContaining({ status: "fail", remedy }),
    ]);
    const off = await examine({ ...database, ...direct, DATABASE_PREPARED_STATEMENTS: "false" });
    expect([off.findingsOf("prepared statements"), statuses(off, "fail")]).toEqual([[], []]);
  } finally {
    await pooler.stop();
  }
});

test("names the clients whose scopes are no longer configured", async () => {
  const place = await mkdtemp(join(tmpdir(), "latchkey-doctor-clients-"));
  const withScopes = async (...scopes: string[]): Promise<Record<string, string>> => {
    const LATCHKEY_CONFIG = join(place, `${scopes.join("-")}.json`);
    await writeFile(LATCHKEY_CONFIG, JSON.stringify({ oauthProvider: { enabled: true, scopes } }));
    return { ...sound, LATCHKEY_CONFIG };
  };
  const create = "oauth create-client --name Grafana --redirect-uri https://app.example.com/";
  const { code } = await latchkey.run(create.split(" "), await withScopes("openid", "reports"));
  expect(code).toBe(0);
  const { findingsOf } = await examine(await withScopes("openid"));
  expect(findingsOf("oauth clients")).toEqual([
    expect.objectContaining({ status: "warn", detail: expect.stringContaining("baseURL") }),
    expect.objectContaining({ status: "warn", detail: expect.stringContaining("Grafana") }),
  ]);
  await rm(place, { recursive: true });
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

/** Runs `work` with the address of an empty database in another encoding. */
const withEncoding = async (encoding: string, work: (url: string) => Promise<void>) => {
  const name = `latchkey_test_${randomBytes(8).toString("hex")}`;
  await rows.query(
    `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
  );
  try {
    await work(withHost(system.databaseUrl, (url) => (url.pathname = `/${name}`)));
  } finally {
    await rows.query(`drop database ${name} with (force)`);
  }
};

test.each([
  ["LATIN1", "fail", "which lacks letters of many names"],
  ["SQL_ASCII", "warn", "so searches distinguish accents"],
] as const)("reports a database with the encoding %s", (encoding, status, consequence) =>
  withEncoding(encoding, async (url) => {
    const report = await examine({ DATABASE_URL: url });
    const detail = expect.stringContaining(`encoding ${encoding}, ${consequence}`) as unknown;
    const remedy = expect.stringContaining("encoding 'UTF8'") as unknown;
    expect(report.findingsOf("database")).toEqual([{ status, detail, remedy }]);
  }),
);

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
  // One of each kind of check. `explain-error.test.ts` tests the remedies.
  const some = new Set([
    "no database there",
    "a service's own role that is turned away",
    "no Redis there",
    "another secret",
    "a program of others in a service's place",
    "a port that is none",
  ]);
  test.each(representatives(cases, ([what]) => some.has(what)))(
    "%s",
    async (_what, check, remedy, broken) => {
      const report = await examine(await broken());
      expect(report.code).toBe(1);
      expect(report.findingsOf(check)).toContainEqual(
        expect.objectContaining({ status: "fail", remedy: expect.stringContaining(remedy) }),
      );
      for (const checked of ["database", "redis", "mail", "gateway", "mailer", "secret"])
        expect(report.findingsOf(checked)).toHaveLength(1);
    },
  );

  test("everything at once", async () => {
    const port = await freePort();
    const report = await examine({
      DATABASE_URL: `postgres://me:${hidden}@127.0.0.1:${port}/db`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      BASE_URL: "nowhere",
    });
    expect(statuses(report, "fail")).toEqual(["configuration", "database", "redis", "mail"]);
  });
});

describe("servers that accept connections and do not respond", () => {
  let mute: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    mute = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
    }).listen(0, "127.0.0.1");
    await once(mute, "listening");
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    mute.close();
    await once(mute, "close");
  });

  test("do not block the doctor: their checks fail, and the others run", async () => {
    const at = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const report = await examine({
      DATABASE_URL: `postgres://me:${hidden}@${at}/db`,
      REDIS_URL: `redis://${at}`,
      SMTP_URL: `smtp://${at}`,
      IDENTITY_URL: `http://${at}`,
    });
    expect(statuses(report, "fail")).toEqual(["database", "redis", "mail", "identity"]);
    expect(report.findingsOf("mailer")).toEqual([expect.objectContaining({ status: "ok" })]);
  });
});

describe("the configuration", () => {
  test("is checked completely, each problem is reported by name, and valid values are used", async () => {
    const file = join(folder, "broken.json");
    await writeFile(
      file,
      JSON.stringify({ session: { expiresIn: "long" }, colour: 1, secret: ["short"], appName: 5 }),
    );
    const report = await examine({ LATCHKEY_CONFIG: file, AUTH_SECRET: "" });
    await rm(file);
    const named = report.findingsOf("configuration").map(({ detail }) => detail.split(":")[0]);
    expect(named.toSorted()).toEqual(["appName", "options", "secret.0", "session.expiresIn"]);
    for (const { remedy } of report.findingsOf("configuration"))
      expect(remedy).toContain("docs/configuration.md");
    expect(report.findingsOf("database")).toEqual([expect.objectContaining({ status: "ok" })]);
  });

  test("is reported as a problem if its file cannot be read", async () => {
    const file = join(folder, "torn.json");
    await writeFile(file, "{");
    const report = await examine({ LATCHKEY_CONFIG: file });
    await rm(file);
    expect(report.findingsOf("configuration")).toEqual([
      expect.objectContaining({ status: "fail", detail: expect.stringContaining("torn.json") }),
    ]);
    expect(report.findingsOf("schemas")).toEqual([expect.objectContaining({ status: "ok" })]);
  });

  test("requires a secret, an SMTP server and a base URL in production", async () => {
    const report = await examine({ NODE_ENV: "production", AUTH_SECRET: "", SMTP_URL: "" });
    const named = report.findingsOf("configuration").map(({ detail }) => detail.split(":")[0]);
    expect(named).toEqual(["secret", "mail.smtpUrl", "baseURL"]);
    expect(report.findingsOf("secret")).toEqual([
      expect.objectContaining({ status: "fail", remedy: expect.stringContaining("AUTH_SECRET") }),
    ]);
  });

  test("causes a warning in production about addresses without https", async () => {
    const report = await examine({
      NODE_ENV: "production",
      BASE_URL: "http://auth.example.com",
      TRUSTED_ORIGINS: "http://app.example.com,https://other.example.com",
    });
    expect([report.code, statuses(report, "warn")]).toEqual([
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
    expect(alone.findingsOf("base URL")[0]?.detail).toContain("cookies are not Secure");
    expect(alone.findingsOf("base URL")[0]?.remedy).toContain("TRUSTED_PROXIES");
    const behindProxy = await examine({ ...hosts, TRUSTED_PROXIES: "10.0.0.1" });
    expect(statuses(behindProxy, "warn")).toEqual([]);
  });

  test.each([
    ["short", "a secret of 24 letters..", "24 characters"],
    ["the default one", "latchkey-default-secret-for-development", "everybody knows"],
  ])("causes a warning about a secret that is %s", async (_what, secret, detail) => {
    const report = await examine({ AUTH_SECRET: secret });
    expect(report.findingsOf("secret")).toEqual([
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
    async (port) => {
      const free = await freePort();
      const report = await examine({
        GATEWAY_URL: "",
        PORT: String(free),
        MAILER_URL: "",
        MAILER_PORT: String(port),
      });
      expect(report.findingsOf("gateway")).toEqual([
        expect.objectContaining({ status: "warn", detail: `does not run; port ${free} is free` }),
      ]);
      const detail = expect.stringContaining("another program") as unknown;
      expect(report.findingsOf("mailer")).toEqual([
        expect.objectContaining({ status: "fail", detail }),
      ]);
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
      const report = await examine({ IDENTITY_URL: url });
      const detail = `${url} runs, but lacks bus`;
      expect(report.findingsOf("identity")).toEqual([
        expect.objectContaining({ status: "fail", detail }),
      ]);
    },
  ));

test("warns of a remote service that does not answer", async () => {
  const report = await examine({ MAILER_URL: `http://127.0.0.1:${await freePort()}` });
  expect([report.code, statuses(report, "warn")]).toEqual([0, ["mailer"]]);
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
      const report = await examine({ REDIS_URL: `redis://${address}` });
      const warned = ["redis persistence", "redis memory"];
      expect([report.code, statuses(report, "warn")]).toEqual([0, warned]);
      expect(report.findingsOf("queue mailer")).toEqual([
        expect.objectContaining({ status: "ok" }),
      ]);
    }));

  test("is healthy if it keeps everything; a wrong password is reported", () =>
    withRedis(["--appendonly", "yes", "--requirepass", "the right one"], async (address) => {
      const good = await examine({ REDIS_URL: `redis://:the%20right%20one@${address}` });
      expect([good.code, statuses(good, "warn")]).toEqual([0, []]);
      const bad = await examine({ REDIS_URL: `redis://:${hidden}@${address}` });
      const remedy = "fix user and password in REDIS_URL";
      expect(bad.findingsOf("redis")).toEqual([
        expect.objectContaining({ status: "fail", remedy }),
      ]);
    }));
});

test("reports unpublished events, with their number and age", async () => {
  await rows.query(
    `insert into identity.outbox (id, name, version, occurred_at, data)
     values ('waiting', 'of.another.version', 1, now() - interval '1 hour', '{}')`,
  );
  const report = await examine();
  await rows.query("delete from identity.outbox where id = 'waiting'");
  expect([report.code, report.findingsOf("outbox identity")]).toEqual([
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
    const schemas = "schema identity, organization, apikey, mailer, webhooks, oauth, gateway, bus";
    await rows.query(`grant usage on ${schemas} to ${role}`);
    await rows.query(`grant select on all tables in ${schemas} to ${role}`);
  });
  afterAll(async () => {
    await rows.query(`drop owned by ${role}`);
    await rows.query(`drop role ${role}`);
  });

  test("is reported to need another user for migrations, if none are pending", async () => {
    const report = await examine({ DATABASE_URL: asGuest(system.databaseUrl) });
    expect([report.code, statuses(report, "warn")]).toEqual([0, ["rights"]]);
  });

  test("fails the check if migrations are pending", async () => {
    const empty = await createEmptyDatabase();
    const report = await examine({ DATABASE_URL: asGuest(empty.url) });
    await empty.drop();
    expect(statuses(report, "fail")).toEqual(["schemas", "rights"]);
  });
});
