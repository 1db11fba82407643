import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { createTestDatabase, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { grantRoles } from "./grant-roles.ts";

expectNoLeaks("file");

const unique = randomBytes(6).toString("hex");
const secret = ["a secret for tests, and for nothing else"];
/** Roles that the tests create, to be dropped afterwards. */
const roles = new Set<string>();
const nameOf = (what: string): string => {
  const name = `latchkey_${what}_${unique}`;
  roles.add(name);
  return name;
};

let database: TestDatabase;
const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
const asRole = (name: string, password: string): string => {
  const url = new URL(database.url);
  url.username = name;
  url.password = encodeURIComponent(password);
  return url.href;
};
beforeAll(async () => {
  const template = { name: "empty", hash: "empty", build: async () => {} };
  database = await createTestDatabase({ baseUrl: inject("databaseUrl"), template });
  await query(
    database.url,
    "create schema identity create table note (id int) create table migration (name text); create schema mailer create table note (id int)",
  );
});
afterAll(async () => {
  await query(database.url, "reset session authorization; drop schema identity, mailer cascade");
  for (const name of roles)
    await query(
      database.url,
      `do $$ begin if to_regrole('${name}') is not null then execute 'drop owned by ${name}; drop role ${name}'; end if; end $$`,
    );
  await database.drop();
});

const grant = (databases: object, databaseUrl = database.url) =>
  grantRoles(readSettings({ secret, databaseUrl, databases, redisUrl: "redis://any" }, {}), [
    "identity",
    "mailer",
  ]);

test("creates a role with the password of its address and updates the password", async () => {
  const name = nameOf("made");
  const [old, fresh] = [asRole(name, "the old one"), asRole(name, "ﬁfty päss:/@?")];
  expect(await grant({ identity: { url: old } })).toEqual([
    { name, services: ["identity"], hasPassword: true },
  ]);
  expect(await query(old, "select count(*)::int from identity.note")).toEqual([{ count: 0 }]);
  await grant({ identity: { url: fresh } });
  await expect(query(old, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(await query(fresh, "select current_user as name")).toEqual([{ name }]);
});

/** A proxy to the database that records all traffic. */
const listenIn = async () => {
  const { hostname, port } = new URL(database.url);
  const sent: Buffer[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on("data", (chunk: Buffer) => sent.push(chunk));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const stop = async () => {
    server.close();
    await once(server, "close");
    return Buffer.concat(sent).toString();
  };
  return { url: url.href, stop };
};

/** Statements appear in logs and in pg_stat_activity, where others can read them. */
test("sends Postgres only a constant verifier of a password, with the iterations that the server uses", async () => {
  const name = nameOf("hashed");
  const password = "a password that nobody may read";
  const databases = { identity: { url: asRole(name, password) } };
  const wire = await listenIn();
  await grant(databases, wire.url);
  const sent = await wire.stop();
  expect(sent).toContain(`"${name}"`);
  expect(sent).not.toContain(password);
  const verifierQuery = `select rolpassword as kept from pg_authid where rolname = '${name}'`;
  const before = await query(database.url, verifierQuery);
  const [server] = await query(
    database.url,
    "select current_setting('scram_iterations') as chosen",
  );
  const start = `SCRAM-SHA-256$${String(server?.["chosen"])}:`;
  expect(before).toEqual([{ kept: expect.stringContaining(start) }]);
  // A pooler may have a copy of the verifier.
  await grant(databases);
  expect(await query(database.url, verifierQuery)).toEqual(before);
});

test("creates one role with 16 concurrent calls, even from several databases", async () => {
  const name = nameOf("raced");
  const url = asRole(name, "secret");
  const template = { name: "empty", hash: "empty", build: async () => {} };
  const other = await createTestDatabase({ baseUrl: inject("databaseUrl"), template });
  const made = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      grant({ identity: { url } }, index % 2 === 0 ? database.url : other.url),
    ),
  );
  expect(made.flat()).toHaveLength(16);
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  await other.drop();
});

test("revokes excess rights of a role and grants rights on later tables", async () => {
  const name = nameOf("exact");
  const url = asRole(name, "secret");
  await grant({ mailer: { url } });
  await query(
    database.url,
    `grant all on schema identity, mailer to ${name}; grant all on all tables in schema mailer to ${name};
     grant usage on schema identity to public; grant select on identity.note to public`,
  );
  await grant({ identity: { url } });
  await query(
    database.url,
    "create table identity.later (id int); create view identity.shown as select 1 as id",
  );
  await query(url, "insert into identity.later values (1)");
  expect(await query(url, "select id from identity.shown")).toEqual([{ id: 1 }]);
  for (const statement of [
    "select from mailer.note",
    "create table identity.stowaway (id int)",
    "truncate identity.later",
    "insert into identity.migration values ('none')",
  ])
    await expect(query(url, statement)).rejects.toMatchObject({ code: "42501" });
  const stranger = nameOf("stranger");
  await query(database.url, `create role ${stranger} login password 'secret'`);
  await expect(
    query(asRole(stranger, "secret"), "select from identity.note"),
  ).rejects.toMatchObject({
    code: "42501",
  });
});

test("combines the rights of services that share a role", async () => {
  const name = nameOf("shared");
  const url = asRole(name, "secret");
  const [role] = await grant({ identity: { url }, mailer: { url } });
  expect(role).toMatchObject({ name, services: ["identity", "mailer"] });
  await query(url, "select from identity.note, mailer.note");
  await expect(
    grant({ identity: { url }, mailer: { url: asRole(name, "another") } }),
  ).rejects.toThrow("has a different password");
});

test("leaves the owner's role unchanged", async () => {
  expect(await grant({ identity: { url: database.url } })).toEqual([]);
});

/** A role that can become the owner, or copy the server's files, can read the data of all services. */
test.each([
  ["superuser", "superuser", "is a superuser"],
  ["replication", "replication", "may copy the whole server"],
  ["member", "in role current_user", "is a member of the owner's role"],
  ["guest", "noinherit in role current_user", "is a member of the owner's role"],
])("rejects a role that cannot be restricted: %s", async (what, rights, said) => {
  const name = nameOf(what);
  await query(database.url, `create role ${name} login password 'secret' ${rights}`);
  await expect(grant({ identity: { url: asRole(name, "secret") } })).rejects.toThrow(
    `The role ${name} of identity ${said}`,
  );
});

describe("an owner who is not a superuser", () => {
  const owner = nameOf("owner");
  const ownerUrl = () => asRole(owner, "secret");
  beforeAll(async () => {
    await query(
      database.url,
      `create role ${owner} login createrole password 'secret';
       grant create, connect on database ${new URL(database.url).pathname.slice(1)} to ${owner};
       alter schema identity owner to ${owner}; alter table identity.note owner to ${owner};
       alter table identity.migration owner to ${owner}; drop table if exists identity.later cascade;
       drop view if exists identity.shown; alter schema mailer owner to ${owner};
       alter table mailer.note owner to ${owner}`,
    );
  });

  test("creates roles if it may", async () => {
    const url = asRole(nameOf("child"), "secret");
    await grant({ identity: { url } }, ownerUrl());
    await grant({ identity: { url } }, ownerUrl());
    await query(url, "insert into identity.note values (1)");
  });

  test("otherwise grants rights to existing roles, keeps their passwords, and reports missing roles", async () => {
    const there = nameOf("there");
    await query(
      database.url,
      `create role ${there} login password 'theirs'; alter role ${owner} nocreaterole`,
    );
    const url = asRole(there, "ours");
    const granted = await grant({ identity: { url } }, ownerUrl());
    expect(granted).toEqual([{ name: there, services: ["identity"], hasPassword: false }]);
    await query(asRole(there, "theirs"), "insert into identity.note values (1)");
    await expect(
      grant({ identity: { url: asRole(nameOf("absent"), "secret") } }, ownerUrl()),
    ).rejects.toThrow("does not exist, and this user may not create roles");
  });
});
