import { buildIndex, type SchemaMigration } from "@latchkey/service-kit/database";
import { expect, test } from "vitest";
import { inspectMigrations } from "./lint/inspect-migrations.ts";
import { createEmptyDatabase } from "../../harness/stores.ts";

const schema = "planted";

const run = (...statements: string[]): SchemaMigration => ({
  up: async (db) => {
    for (const statement of statements)
      await db.executeQuery({
        sql: statement,
        parameters: [],
        query: { kind: "RawNode", sqlFragments: [statement], parameters: [] },
        queryId: { queryId: statement },
      });
  },
});

const tables = run(
  `create table planted.person (id int primary key, name text not null, email text unique, age int default 1 check (age > 0))`,
  `create table planted.pet (id int primary key, owner int not null)`,
  `create index pet_by_owner on planted.pet (owner)`,
  `create view planted.users as select id from planted.person`,
  `create function planted.twice(int) returns int language sql immutable as 'select $1 * 2'`,
);

const inspect = async (planted: SchemaMigration): Promise<string[] | undefined> => {
  const database = await createEmptyDatabase();
  const migrations = { "0001_tables": tables, "0002_planted": planted };
  const hazards = await inspectMigrations({ url: database.url, schema, migrations });
  await database.drop();
  expect(hazards["0001_tables"]).toEqual([]);
  return hazards["0002_planted"];
};

test.each<[string, string[], string[]]>([
  [
    "a rewrite caused by a changed type",
    ["alter table planted.pet alter owner type bigint"],
    [
      "writes planted.pet anew",
      'changes column planted.pet.owner from "integer required" to "bigint required"',
    ],
  ],
  [
    "a rewrite caused by a default that differs by row",
    ["alter table planted.pet add column tag uuid default gen_random_uuid()"],
    ["writes planted.pet anew"],
  ],
  ["a truncated table", ["truncate planted.pet"], ["writes planted.pet anew"]],
  [
    "an index build that blocks writers",
    ["create index person_name on planted.person (name)"],
    ["reads all of planted.person while it is locked"],
  ],
  [
    "a check that is validated on existing rows",
    ["alter table planted.person add constraint named check (name <> '')"],
    [
      "reads all of planted.person while it is locked",
      "adds constraint planted.person.named, which rows of the version before may break",
    ],
  ],
  [
    "a foreign key that is validated immediately",
    ["alter table planted.pet add constraint owned foreign key (owner) references planted.person"],
    [
      "reads all of planted.person while it is locked",
      "reads all of planted.pet while it is locked",
      "adds constraint planted.pet.owned, which rows of the version before may break",
    ],
  ],
  [
    "a required column without a default",
    ["delete from planted.pet", "alter table planted.pet add column kind text not null"],
    [
      "reads all of planted.pet while it is locked",
      "changes rows of planted.pet, which stay locked until it ends",
      "adds column planted.pet.kind, which is required and has no default",
    ],
  ],
  [
    "a column that becomes required",
    [
      "update planted.person set email = 'a'",
      "alter table planted.person alter email set not null",
    ],
    [
      "reads all of planted.person while it is locked",
      "changes rows of planted.person, which stay locked until it ends",
      'changes column planted.person.email from "text" to "text required"',
    ],
  ],
  [
    "a default that is dropped",
    ["alter table planted.person alter age drop default"],
    ['changes column planted.person.age from "integer default 1" to "integer"'],
  ],
  [
    "a column that is renamed",
    ["alter table planted.pet rename owner to keeper"],
    [
      "drops or renames column planted.pet.owner",
      'changes index planted.pet.pet_by_owner from "CREATE INDEX pet_by_owner ON planted.pet USING btree (owner)" to "CREATE INDEX pet_by_owner ON planted.pet USING btree (keeper)"',
      "adds column planted.pet.keeper, which is required and has no default",
    ],
  ],
  [
    "a column that is dropped",
    ["alter table planted.person drop column age"],
    [
      "drops or renames column planted.person.age",
      "drops or renames constraint planted.person.person_age_check",
    ],
  ],
  ["a table that is dropped", ["drop table planted.pet"], ["drops or renames table planted.pet"]],
  [
    "a table that is renamed",
    ["alter table planted.pet rename to animal"],
    ["drops or renames table planted.pet"],
  ],
  ["a view that is dropped", ["drop view planted.users"], ["drops or renames view planted.users"]],
  [
    "a function that is dropped",
    ["drop function planted.twice"],
    ["drops or renames function planted.twice(integer)"],
  ],
  [
    "an index that is dropped",
    ["drop index planted.pet_by_owner"],
    ["drops or renames index planted.pet.pet_by_owner"],
  ],
  [
    "a dropped constraint that an insert names in on conflict",
    ["alter table planted.person drop constraint person_email_key"],
    ["drops or renames constraint planted.person.person_email_key"],
  ],
  [
    "rows that are changed in one statement",
    ["update planted.person set name = 'b'"],
    ["changes rows of planted.person, which stay locked until it ends"],
  ],
  [
    "a table that is scanned while another is exclusively locked",
    [
      "alter table planted.person add column pets int",
      "create table planted.count as select count(*) from planted.pet",
    ],
    ["reads all of planted.pet while planted.person is locked"],
  ],
  [
    "a check of a new column, which scans all rows",
    ["alter table planted.pet add column age int check (age > 0)"],
    ["reads all of planted.pet while it is locked"],
  ],
  [
    "two tables that are exclusively locked together",
    ["alter table planted.person add column a int", "alter table planted.pet add column a int"],
    ["locks planted.person and planted.pet together"],
  ],
  [
    "an explicit lock, under which rows are scanned",
    ["lock table planted.pet in exclusive mode", "select count(*) from planted.pet"],
    ["reads all of planted.pet while it is locked"],
  ],
  [
    "a trigger, which writes of the previous version fire too",
    [
      "create trigger quiet before update on planted.pet for each row execute function suppress_redundant_updates_trigger()",
    ],
    ["adds trigger planted.pet.quiet"],
  ],
])("reports %s", async (_, statements, hazards) => {
  expect(await inspect(run(...statements))).toEqual(hazards);
});

test.each<[string, SchemaMigration]>([
  [
    "a new table with a foreign key",
    run(
      "create table planted.toy (id int primary key, owner int references planted.person)",
      "create index toy_by_owner on planted.toy (owner)",
    ),
  ],
  ["a nullable column", run("alter table planted.person add column note text")],
  [
    "a required column with a default",
    run("alter table planted.person add column likes int not null default 0"),
  ],
  [
    "a new table that is filled from another",
    run(
      "create table planted.count (pets bigint)",
      "insert into planted.count select count(*) from planted.pet",
    ),
  ],
  [
    "a constraint that is added unvalidated and validated without blocking writers",
    {
      isOutsideTransaction: true,
      up: run(
        "alter table planted.person add column nick text",
        "alter table planted.person add constraint nicked check (nick <> '') not valid",
        "alter table planted.person validate constraint nicked",
      ).up,
    },
  ],
  [
    "an index that is built without blocking writers",
    {
      isOutsideTransaction: true,
      up: (db) =>
        buildIndex(db, { schema, name: "person_name", table: "person", definition: "(name)" }),
    },
  ],
])("accepts %s", async (_, planted) => {
  expect(await inspect(planted)).toEqual([]);
});

test("reports an index built outside of a transaction if it blocks writers", async () => {
  const { up } = run("create index person_name on planted.person (name)");
  expect(await inspect({ isOutsideTransaction: true, up })).toEqual([
    "reads all of planted.person while it is locked",
  ]);
});
