import { readSettings } from "@latchkey/service-kit/config";
import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, type TestDatabase, testSecret } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOrganizationDatabase } from "./test-organization.fixture.ts";
import { organization } from "../service.ts";

expectNoLeaks("file");

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createOrganizationDatabase();
  const logger = createLogger({ service: "test", level: "silent" });
  pool = createPostgresPool({ url: database.url, max: 2, logger, applicationName: "test" });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const migrate = (schema: object = {}) =>
  organization.migrate(
    readSettings(
      {
        secret: [testSecret],
        databaseUrl: database.url,
        logger: { disabled: true },
        organization: { schema },
      },
      {},
    ),
  );
const query = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows;
const views = () =>
  query(`select relname as name, oid::integer as oid from pg_class
       where relnamespace = 'organization'::regnamespace and relkind = 'v' order by relname`);
const viewNames = async () => (await views()).map(({ name }) => name);

const companies = { organization: { modelName: "companies", fields: { name: "legalName" } } };

const insertCompany = () =>
  query(`insert into organization.companies (id, "legalName", slug, created_at)
       values ('1', 'Acme', 'acme', now())`);

describe("a table with a custom name", () => {
  test("can be read, inserted into, changed and deleted from by that name", async () => {
    await migrate(companies);
    await insertCompany();
    expect(await query(`select id, "legalName", slug from organization.companies`)).toEqual([
      { id: "1", legalName: "Acme", slug: "acme" },
    ]);
    await query(`update organization.companies set "legalName" = 'Acme & Sons'`);
    expect(await query("select name from organization.organization")).toEqual([
      { name: "Acme & Sons" },
    ]);
    await query("delete from organization.companies");
    expect(await query("select 1 from organization.organization")).toEqual([]);
  });

  test("works for each of the four tables", async () => {
    await migrate({
      ...companies,
      member: { modelName: "staff", fields: { organizationId: "company", userId: "person" } },
      invitation: { modelName: "invites", fields: { inviterId: "sender" } },
      team: { modelName: "squads", fields: { organizationId: "company" } },
    });
    await insertCompany();
    await query(`insert into organization.squads (id, name, company, created_at)
      values ('2', 'Sales', '1', now())`);
    await query(`insert into organization.staff (id, company, person, role, team_id, created_at)
      values ('3', '1', 'u', 'owner', '2', now())`);
    await query(`insert into organization.invites (id, organization_id, email, role, status, expires_at, sender,
      created_at, mailed_at) values ('4', '1', 'ada@example.com', 'member', 'pending', now(), 'u', now(), now())`);
    expect(await query("select user_id, team_id from organization.member")).toEqual([
      { user_id: "u", team_id: "2" },
    ]);
    expect(await query("select inviter_id from organization.invitation")).toEqual([
      { inviter_id: "u" },
    ]);
    expect(await viewNames()).toEqual(["companies", "invites", "squads", "staff"]);
  });
});

test("a view has the additional fields of its table, and a unique one has an index", async () => {
  const additionalFields = {
    vatId: { type: "string", unique: true },
    seats: { type: "number" },
  };
  const organization = { modelName: "companies", additionalFields };
  await migrate({ organization });
  const insert = (id: string, extra: object) =>
    query(`insert into organization.companies (id, name, slug, created_at, extra)
      values ('${id}', 'Acme', '${id}', now(), '${JSON.stringify(extra)}')`);
  await insert("1", { vatId: "DE1", seats: 3 });
  expect(await query("select vat_id, seats::float from organization.companies")).toEqual([
    { vat_id: "DE1", seats: 3 },
  ]);
  await expect(insert("2", { vatId: "DE1" })).rejects.toMatchObject({
    constraint: "organization_extra_vatId",
  });
  await migrate({ organization: { modelName: "companies" } });
  await insert("2", { vatId: "DE1" });
  await expect(migrate({ organization })).rejects.toMatchObject({
    problems: [
      "organization.schema.organization.additionalFields.vatId.unique: several organizations have the same value already",
    ],
  });
});

describe("views", () => {
  test("do not exist without a name", async () => {
    await migrate({ member: { fields: { userId: "person" } } });
    expect(await views()).toEqual([]);
  });

  test("stay while the options do, follow their changes and are dropped with them", async () => {
    await migrate(companies);
    const made = await views();
    await migrate(companies);
    expect(await views()).toEqual(made);
    await migrate({ organization: { modelName: "firms" } });
    expect(await viewNames()).toEqual(["firms"]);
    await migrate();
    expect(await views()).toEqual([]);
  });

  test("are created once when eight processes migrate at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => migrate(companies)));
    expect(await viewNames()).toEqual(["companies"]);
  });
});

describe("options that do not fit the database are rejected and change nothing", () => {
  test.each([
    [
      "a table's own name",
      { organization: { modelName: "organization" } },
      ["organization.modelName: organization is the name of something else in the database"],
    ],
    [
      "another table's name",
      { member: { modelName: "audit" } },
      ["member.modelName: audit is the name of something else in the database"],
    ],
    [
      "a sequence's name",
      { team: { modelName: "member_number" } },
      ["team.modelName: member_number is the name of something else in the database"],
    ],
    [
      "one name for two tables",
      { member: { modelName: "x" }, team: { modelName: "x" } },
      ["team.modelName: another table has the name x too"],
    ],
    [
      "a field that does not exist",
      { invitation: { modelName: "x", fields: { nope: "y" } } },
      ["invitation.fields.nope: there is no such field"],
    ],
    [
      "one name for two columns",
      { team: { modelName: "x", fields: { name: "id" } } },
      ["team.fields.name: another column is named id too"],
    ],
  ])("%s", async (_, schema, expected) => {
    await migrate(companies);
    const before = await views();
    const problems = expected.map((problem) => `organization.schema.${problem}`);
    await expect(migrate(schema)).rejects.toMatchObject({ name: "ConfigurationError", problems });
    expect(await views()).toEqual(before);
  });
});
