import { auditedServices, type ServiceName, serviceNames } from "@latchkey/contracts";
import { schemasOf } from "@latchkey/service-kit/config";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { roleUrl } from "../harness/database-environment.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signUp } from "../harness/users.ts";

interface Table {
  schema: string;
  name: string;
  kind: "sequence" | "table" | "view";
  /** A writable column. */
  column: string;
}

const listTables = async (rows: Rows): Promise<Table[]> => {
  const tables = await rows.query(
    `select nspname as schema, relname as name,
      case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind,
      (select attname from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and attgenerated = '' and attidentity = ''
       order by attnum limit 1) as column
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any($1) and relkind in ('r', 'p', 'v', 'S') order by 1, 2`,
    ["bus", ...serviceNames],
  );
  return tables as unknown as Table[];
};

/** Returns a call of each function in a schema of a service that takes a text. Searches and the indexes of names call them. */
const listCalls = async (rows: Rows): Promise<{ schema: string; call: string }[]> => {
  const calls = await rows.query(
    `select nspname as schema, format('select %I.%I(%L)', nspname, proname, 'Émile') as call
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = any($1) and proargtypes = array['text'::regtype]::oidvector order by 1, 2`,
    [serviceNames],
  );
  return calls as unknown as { schema: string; call: string }[];
};

const readings = (place: string, { kind }: Table): string[] =>
  kind === "sequence"
    ? [`select last_value from ${place}`, `select currval('${place}')`]
    : [`select from ${place}`, `select from ${place} for update`];

const writings = (place: string, { kind, column }: Table): string[] =>
  kind === "sequence"
    ? [`select nextval('${place}')`]
    : [
        `insert into ${place} default values`,
        `update ${place} set "${column}" = "${column}"`,
        `delete from ${place}`,
      ];

const changes = (place: string, { kind }: Table): string[] => [
  ...(kind === "table"
    ? [
        `truncate ${place}`,
        `alter table ${place} add column stowaway text`,
        `create index stowaway on ${place} ((1))`,
        `create trigger stowaway before insert on ${place} for each row execute function suppress_redundant_updates_trigger()`,
      ]
    : []),
  ...(kind === "sequence" ? [`select setval('${place}', 1)`] : []),
  `alter ${kind} ${place} rename to stowaway`,
  `drop ${kind} ${place} cascade`,
  `comment on ${kind} ${place} is 'stowaway'`,
];

const changesOfSchema = (schema: string): string[] => [
  `create table ${schema}.stowaway (id int)`,
  `create view ${schema}.stowaway as select 1`,
  `create sequence ${schema}.stowaway`,
  `create function ${schema}.stowaway() returns int language sql as 'select 1'`,
  `alter schema ${schema} rename to stowaway`,
  `drop schema ${schema} cascade`,
  `alter default privileges for role postgres in schema ${schema} grant all on tables to public`,
];

/** Statements that would bypass the role's permissions in this database. */
const escapes = [
  "select from pg_authid",
  "select from pg_shadow",
  "select from pg_statistic",
  "select from pg_file_settings",
  "select from pg_hba_file_rules",
  "select subconninfo from pg_subscription",
  "select pg_read_file('postgresql.conf')",
  "select pg_ls_dir('.')",
  "select lo_import('postgresql.conf')",
  "copy (select 1) to '/tmp/stowaway'",
  "copy (select 1) to program 'true'",
  "create table public.stowaway (id int)",
  "create schema stowaway",
  "create role stowaway",
  "alter role latchkey_test_gateway password 'stowaway'",
  "alter role latchkey_test_mailer superuser",
  "set role latchkey_test_organization",
  "set session authorization postgres",
  "drop extension pg_trgm",
];

/** Such statements that cannot run in a transaction. */
const loneEscapes = ["create database stowaway", "alter system set log_statement = 'all'"];

const control = "select 1";
const nothing = [`done: ${control}`];

/**
 * Returns the results of statements that Postgres did not refuse for lack of privilege. The last statement shows that all were
 * executed.
 */
const unrefused = async (rows: Rows, statements: readonly string[]): Promise<string[]> => {
  await rows.query(`do $block$
    declare
      statement text;
      outcomes text[] := '{}';
    begin
      for statement in select jsonb_array_elements_text($json$${JSON.stringify([...statements, control])}$json$) loop
        begin
          execute statement;
          outcomes := outcomes || ('done: ' || statement);
        exception
          when insufficient_privilege then null;
          when others then outcomes := outcomes || (sqlstate || ': ' || statement);
        end;
      end loop;
      perform set_config('latchkey.outcomes', to_jsonb(outcomes)::text, false);
    end $block$`);
  const [row] = await rows.query("select current_setting('latchkey.outcomes')::jsonb as outcomes");
  return row?.["outcomes"] as string[];
};

const isBookkeeping = ({ name }: Table): boolean =>
  name === "migration" || name === "migration_lock";

const place = ({ schema, name }: Table): string => `${schema}."${name}"`;

describe.each(matrix("postgres", "redis"))("with sessions and bus in %s", (stores) => {
  let tables: Table[];
  // The gateway has its own rows only if it counts requests in the database.
  const storage = stores === "postgres" ? "database" : undefined;
  const rateLimit = storage ? ({ enabled: true, storage, max: 1000 } as const) : {};
  const user = { deleteUser: { enabled: true, confirmByMail: false } };
  const { system, rows } = useSystem({
    stores,
    config: {
      rateLimit,
      user,
      oauthProvider: { enabled: true },
      deviceAuthorization: { enabled: true },
    },
  });
  beforeAll(async () => {
    // The database template was made for a bus in Postgres, which nobody may access if the bus is in Redis.
    await migrateAll(system.settings);
    tables = await listTables(rows);
  });

  test("the role of each service suffices for all that users and admins do", async () => {
    const [ada, admin] = [await signUp(system), await signUp(system)];
    await rows.query("update identity.user set role = 'admin' where id = $1", admin.user.id);
    await admin.browser.post("/sign-in/email", { email: admin.email, password });
    const post = async (path: string, body: object) => {
      const response = await ada.browser.post(path, body);
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as { id: string };
    };
    await post("/send-verification-email", { email: ada.email });
    const { links } = await system.smtp.waitForMail(ada.email);
    const link = links[0] ?? "";
    expect((await ada.browser.get(link.slice(system.url.length))).status).toBe(302);
    const { id } = await post("/organization/create", { name: "Acme", slug: `acme-${stores}` });
    await post("/organization/invite-member", { email: "eve@example.com", role: "member" });
    await system.smtp.waitForMail("eve@example.com");
    await post("/api-key/create", { name: "Till" });
    for (const path of [
      "/admin/list-users?searchValue=ada",
      "/admin/list-users?searchField=any&searchValue=%C3%89mile",
      "/admin/organizations?searchValue=%C3%81cme",
      "/admin/api-keys",
      "/admin/audit/identity",
      "/admin/deliveries",
      "/admin/queues",
      "/admin/statistics/identity",
    ])
      expect([path, (await admin.browser.get(path)).status]).toEqual([path, 200]);
    await post("/organization/delete", { organizationId: id });
    await post("/delete-user", { password });
    await until(async () => (await rows.query("select from apikey.api_key")).length === 0);
  });

  test("every audit row is sealed", async () => {
    for (const schema of auditedServices)
      await until(async () => {
        const [counts] = await rows.query(
          `select (select count(*) from ${schema}.audit) as rows, (select count(*) from ${schema}.audit_seal) as seals`,
        );
        return counts?.["rows"] === counts?.["seals"];
      });
  });

  test("each service signs in with its own role only", async () => {
    await signUp(system);
    // A pooler looks up passwords on its own connections.
    const connected = await rows.query(
      `select distinct usename, application_name from pg_stat_activity
       where datname = current_database() and application_name like 'latchkey-%' and query not like '%pg_authid%'`,
    );
    const expected = serviceNames
      .filter((name) => name !== "gateway" || stores === "postgres")
      .map((name) => [`latchkey_test_${name}`, `latchkey-${name}`]);
    const pairs = connected.map(({ usename, application_name }) => [usename, application_name]);
    const ofServices = pairs.filter(([, application]) => application !== "latchkey-bus");
    expect(ofServices.toSorted()).toEqual(expected.toSorted());
    for (const [user] of pairs) expect(user).toMatch(/^latchkey_test_/);
  });

  /** A compromised service must not reach the data of others. */
  describe.each(serviceNames)("the role of %s", (service: ServiceName) => {
    let role: Rows;
    let own: string[];
    beforeAll(() => {
      role = openRows({ databaseUrl: roleUrl(system.databaseUrl, service) });
      own = schemasOf(system.settings, service);
    });
    afterAll(() => role.close());

    test("reads and writes every table of its service", async () => {
      const mine = tables.filter(({ schema, kind }) => own.includes(schema) && kind !== "sequence");
      expect(mine.length).toBeGreaterThan(2);
      for (const table of mine) {
        await role.query(`select from ${place(table)} limit 0`);
        if (isBookkeeping(table)) continue;
        const column = `"${table.column}"`;
        await role.query(
          `insert into ${place(table)} (${column}) select ${column} from ${place(table)} where false`,
        );
        for (const statement of writings(place(table), table).slice(1))
          await role.query(`${statement} where false`);
      }
    });

    test("calls the functions of its service only", async () => {
      const calls = await listCalls(rows);
      expect(calls.map(({ schema }) => schema)).toContain("organization");
      for (const { schema, call } of calls.filter((one) => own.includes(one.schema)))
        expect([schema, (await role.query(call)).length]).toEqual([schema, 1]);
      const others = calls.filter(({ schema }) => !own.includes(schema));
      expect(
        await unrefused(
          role,
          others.map(({ call }) => call),
        ),
      ).toEqual(nothing);
    });

    test("cannot alter its tables, nor the record of migrations", async () => {
      const mine = tables.filter(({ schema }) => own.includes(schema));
      const statements = [
        ...own.flatMap(changesOfSchema),
        ...mine.flatMap((table) => changes(place(table), table)),
        ...mine.filter(isBookkeeping).flatMap((table) => writings(place(table), table)),
      ];
      expect(await unrefused(role, statements)).toEqual(nothing);
    });

    test("cannot access other services' data", async () => {
      const others = tables.filter(({ schema }) => !own.includes(schema));
      const schemas = new Set(others.map(({ schema }) => schema));
      expect(schemas.size).toBe(serviceNames.length + 1 - own.length);
      const statements = [
        ...[...schemas].flatMap(changesOfSchema),
        ...[readings, writings, changes].flatMap((attempts) =>
          others.flatMap((table) => attempts(place(table), table)),
        ),
      ];
      expect(await unrefused(role, statements)).toEqual(nothing);
    });

    test("cannot escape its privileges", async () => {
      const others = escapes.filter((statement) => !statement.includes(`latchkey_test_${service}`));
      expect(await unrefused(role, others)).toEqual(nothing);
      for (const statement of loneEscapes)
        await expect(role.query(statement)).rejects.toMatchObject({ code: "42501" });
    });
  });
});
