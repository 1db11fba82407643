import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { expectNoLeaks } from "./leak-check.ts";
import { createTestDatabase } from "./test-database.ts";

const baseUrl = inject("databaseUrl");
expectNoLeaks();

test("16 concurrent callers share one build and do not see each other's rows", async () => {
  let builds = 0;
  const template = {
    name: "isolation",
    hash: randomUUID(),
    build: async (url: string) => {
      builds += 1;
      await query(url, "create table things (id int primary key)");
    },
  };
  const databases = await Promise.all(
    Array.from({ length: 16 }, () => createTestDatabase({ baseUrl, template })),
  );
  await Promise.all(databases.map(({ url }) => query(url, "insert into things values (1)")));
  const counts = await Promise.all(
    databases.map(({ url }) => query(url, "select count(*)::int as count from things")),
  );
  expect(counts).toEqual(Array.from({ length: 16 }, () => [{ count: 1 }]));
  expect(builds).toBe(1);
  await Promise.all(databases.map((database) => database.drop()));
  await expect(query(databases[0]?.url ?? "", "select 1")).rejects.toThrow(/does not exist/);
});

test("a different hash has a different template", async () => {
  const create = (column: string) =>
    createTestDatabase({
      baseUrl,
      template: {
        name: "versions",
        hash: randomUUID(),
        build: async (url) => void (await query(url, `create table things (${column} int)`)),
      },
    });
  const databases = await Promise.all([create("old"), create("new")]);
  await expect(query(databases[1].url, "select new from things")).resolves.toEqual([]);
  await expect(query(databases[1].url, "select old from things")).rejects.toThrow(/does not exist/);
  await Promise.all(databases.map((database) => database.drop()));
});

test("a failed build leaves no template behind", async () => {
  const hash = randomUUID();
  const failing = {
    name: "failing",
    hash,
    build: () => Promise.reject(new Error("bad migration")),
  };
  await expect(createTestDatabase({ baseUrl, template: failing })).rejects.toThrow("bad migration");
  const fixed = {
    name: "failing",
    hash,
    build: async (url: string) => void (await query(url, "create table things (id int)")),
  };
  const database = await createTestDatabase({ baseUrl, template: fixed });
  await expect(query(database.url, "select * from things")).resolves.toEqual([]);
  await database.drop();
});

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
