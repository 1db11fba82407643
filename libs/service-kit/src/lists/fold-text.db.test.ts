import { randomBytes } from "node:crypto";
import { createTestDatabase, expectNoLeaks } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { indexFolded } from "../database/search-index-migration.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { createLogger } from "../observe/logger.ts";
import { foldedSql, foldText } from "./fold-text.ts";
import { containsFolded } from "./text-search.ts";

expectNoLeaks("file");

const schema = "shop";
const logger = createLogger({ service: "test", level: "silent" });

const connect = (url: string): Kysely<unknown> =>
  createDatabase({
    pool: createPostgresPool({ url, max: 1, logger, applicationName: "test" }),
    schema,
    preparedStatements: false,
  });

const createItems = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await sql`create table ${sql.id(schema, "item")} (name text not null)`.execute(db);
  // An interrupted migration is repeated.
  for (let runs = 0; runs < 2; runs += 1)
    await indexFolded(db, { schema, table: "item", column: "name" });
};

const namesWith = async (db: Kysely<unknown>, term: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.id(schema, "item")}
    where ${containsFolded(schema, sql.ref("name"), term)} order by name collate "C"`.execute(db);
  return rows.map(({ name }) => name);
};

const template = { name: "empty", hash: "empty", build: async () => {} };
const database = await createTestDatabase({ baseUrl: inject("databaseUrl"), template });
afterAll(() => database.drop());

describe("in UTF8", () => {
  let db: Kysely<unknown>;
  beforeAll(async () => {
    db = connect(database.url);
    await createItems(db);
  });
  afterAll(() => db.destroy());

  const foldInDatabase = async (texts: readonly string[]): Promise<string[]> => {
    const { rows } = await sql<{ folded: string }>`
      select ${foldedSql(schema, sql`value`)} as folded
      from unnest(${[...texts]}::text[]) with ordinality as given (value, place) order by place`.execute(
      db,
    );
    return rows.map(({ folded }) => folded);
  };

  test.each([
    ["ÉMILE Zoë", "emile zoe"],
    ["E\u0301mile", "emile"],
    ["Lê Thị Đỗ", "le thi do"],
    ["Łukasz Øre ĦŦ", "lukasz ore ht"],
    ["İSTANBUL ısı", "istanbul isi"],
    ["ΟΔΥΣΣΕΎΣ ὀδυσσεύς", "οδυσσευσ οδυσσευσ"],
    ["ЁЛКА Й", "елка и"],
    // Syllables stay whole, and letters of another width keep their own.
    ["한국 ガイド 王伟", "한국 ガイド 王伟"],
    ["100％ ﬁx_\\", "100％ ﬁx_\\"],
    ["Straße", "straße"],
    ["", ""],
  ])("folds %j to %j in SQL and in JavaScript", async (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(await foldInDatabase([text])).toEqual([folded]);
  });

  test("folds every Latin, Greek and Cyrillic letter alike in SQL and in JavaScript", async () => {
    const ranges = [
      [0x20, 0x52f],
      [0x1e00, 0x1fff],
    ] as const;
    const letters = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    );
    const texts = letters.filter((letter) => /\p{L}/u.test(letter)).map((letter) => `a${letter}A`);
    expect(texts.length).toBeGreaterThan(1_000);
    expect(await foldInDatabase(texts)).toEqual(texts.map(foldText));
  });

  test("finds a name by its letters, and characters with a meaning in LIKE literally", async () => {
    await sql`
      insert into ${sql.id(schema, "item")} values ('Émile 100% Sure_Thing'), ('E\u0301milie'), ('Ada')`.execute(
      db,
    );
    expect(await namesWith(db, "émili")).toEqual(["E\u0301milie"]);
    expect(await namesWith(db, "EMIL")).toEqual(["E\u0301milie", "Émile 100% Sure_Thing"]);
    for (const term of ["0% s", "e_t", "ÉMILE 1"])
      expect(await namesWith(db, term)).toEqual(["Émile 100% Sure_Thing"]);
    for (const term of ["0_ s", "em%e", "\\", "0％"]) expect(await namesWith(db, term)).toEqual([]);
  });
});

/** Postgres decomposes no letters there. Names are stored and found nevertheless, with their accents. */
test.each(["LATIN1", "EUC_JP", "SQL_ASCII"])(
  "finds names in a database of %s",
  async (encoding) => {
    const name = `latchkey_test_${randomBytes(8).toString("hex")}`;
    const owner = connect(database.url);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const db = connect(url.href);
    try {
      await sql`
      create database ${sql.id(name)} template template0 encoding ${sql.lit(encoding)} locale_provider libc locale 'C'`.execute(
        owner,
      );
      await createItems(db);
      await sql`insert into ${sql.id(schema, "item")} values ('Émile Zola'), ('Ada')`.execute(db);
      expect(await namesWith(db, "Émile ZOLA")).toEqual(["Émile Zola"]);
      expect(await namesWith(db, "ada")).toEqual(["Ada"]);
    } finally {
      await db.destroy();
      await sql`drop database if exists ${sql.id(name)} with (force)`.execute(owner);
      await owner.destroy();
    }
  },
);
