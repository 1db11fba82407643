import pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Who else gives rights in this database waits until the transaction ends. */
export const lockRoles = async (client: Client): Promise<void> => {
  await client.query("select pg_advisory_xact_lock(hashtext('latchkey roles'))");
};

/** What makes it pointless to close anything to a role. */
export type Excess = "superuser" | "replication" | "member of the owner";

/** A role of the server: whether it is who signed in, and whom nothing is closed to. Undefined where it is missing. */
export const findRole = async (
  client: Client,
  name: string,
): Promise<{ isOurs: boolean; excess: Excess | null } | undefined> => {
  const { rows } = await client.query<{ isOurs: boolean; excess: Excess | null }>(
    `select rolname = current_user as "isOurs", case
      when rolsuper then 'superuser'
      when rolreplication then 'replication'
      when pg_has_role(oid, current_user, 'member') then 'member of the owner'
    end as excess
    from pg_roles where rolname = $1`,
    [name],
  );
  return rows[0];
};

const withPassword = (verifier: string | undefined): string =>
  verifier === undefined ? "" : ` password ${pg.escapeLiteral(verifier)}`;

/** Makes a role that signs in, by a password of which only what Postgres keeps is told; without one by other means. */
export const insertRole = async (
  client: Client,
  name: string,
  verifier: string | undefined,
): Promise<void> => {
  await client.query(`create role ${quoted(name)} login${withPassword(verifier)}`);
};

/** Lets a role sign in, by another password where one is given. */
export const updateRole = async (
  client: Client,
  name: string,
  verifier: string | undefined,
): Promise<void> => {
  await client.query(`alter role ${quoted(name)} login${withPassword(verifier)}`);
};

/** Which of some schemas there are. */
export const listSchemas = async (client: Client, names: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname = any($1)",
    [names],
  );
  return rows.map(({ name }) => name);
};

/** The schemas among some in which a role was given anything by itself, or `public`: everybody. */
export const listGranted = async (
  client: Client,
  { to, schemas }: { to: string; schemas: readonly string[] },
): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `with given as (
      select oid as schema, (aclexplode(nspacl)).grantee from pg_namespace
      union all select relnamespace, (aclexplode(relacl)).grantee from pg_class
      union all select defaclnamespace, (aclexplode(defaclacl)).grantee from pg_default_acl
    )
    select distinct nspname as name from given join pg_namespace on pg_namespace.oid = schema
    where nspname = any($2)
      and grantee = case $1 when 'public' then 0 else (select oid from pg_roles where rolname = $1) end`,
    [to, schemas],
  );
  return rows.map(({ name }) => name);
};

/** What a service's role may do with what there is in its schema. */
const rights = {
  tables: "select, insert, update, delete",
  sequences: "usage, select",
  functions: "execute",
} as const;

/** What there is in a schema. */
export type ObjectKind = keyof typeof rights;
/** All that rights are given for. */
export const objectKinds: readonly ObjectKind[] = ["tables", "sequences", "functions"];

/** A schema, and the role that it is about; `public` stands for everybody. */
export interface Grant {
  schema: string;
  role: string;
}

const named = ({ schema, role }: Grant): [string, string] => [
  quoted(schema),
  role === "public" ? role : quoted(role),
];

/** Lets a role into a schema no more. */
export const revokeSchema = async (client: Client, grant: Grant): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`revoke all on schema ${schema} from ${role}`);
};

/** Takes away all that there is of a kind in a schema. */
export const revokeObjects = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`revoke all on all ${kind} in schema ${schema} from ${role}`);
};

/** Takes away what the migrations will make of a kind. */
export const revokeFuture = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(
    `alter default privileges in schema ${schema} revoke all on ${kind} from ${role}`,
  );
};

/** Lets a role into a schema, where it may make nothing. */
export const grantSchema = async (client: Client, grant: Grant): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`grant usage on schema ${schema} to ${role}`);
};

/** Lets a role work with all that there is of a kind in a schema; it may change no table itself. */
export const grantObjects = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`grant ${rights[kind]} on all ${kind} in schema ${schema} to ${role}`);
};

/** The same of what the migrations will make. */
export const grantFuture = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(
    `alter default privileges in schema ${schema} grant ${rights[kind]} on ${kind} to ${role}`,
  );
};

/** The tables of a schema that tell which migrations there were. */
export const listMigrationTables = async (client: Client, schema: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = to_regnamespace($1) and relname in ('migration', 'migration_lock')`,
    [quoted(schema)],
  );
  return rows.map(({ name }) => name);
};

/** Lets a role read a table, and no longer write it. */
export const revokeWriting = async (
  client: Client,
  { schema, role }: Grant,
  table: string,
): Promise<void> => {
  const place = `${quoted(schema)}.${quoted(table)}`;
  await client.query(`revoke insert, update, delete on ${place} from ${quoted(role)}`);
};

/** This database, and whether a role may come in. */
export const findEntry = async (
  client: Client,
  role: string,
): Promise<{ database: string; mayConnect: boolean } | undefined> => {
  const { rows } = await client.query<{ database: string; mayConnect: boolean }>(
    `select current_database() as database,
      has_database_privilege($1, current_database(), 'connect') as "mayConnect"`,
    [role],
  );
  return rows[0];
};

/** Lets a role into a database. */
export const grantConnection = async (
  client: Client,
  database: string,
  role: string,
): Promise<void> => {
  await client.query(`grant connect on database ${quoted(database)} to ${quoted(role)}`);
};

/** The schema `public` where everybody may make something in it, as before Postgres 15, and where that is ours to say. */
export const findOpenPublicSchema = async (
  client: Client,
): Promise<{ name: string } | undefined> => {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace, aclexplode(nspacl)
    where nspname = 'public' and grantee = 0 and privilege_type = 'CREATE'
      and pg_has_role(nspowner, 'usage')`,
  );
  return rows[0];
};

/** Nobody but its owner makes anything in the schema `public`. */
export const closePublicSchema = async (client: Client): Promise<void> => {
  await client.query("revoke create on schema public from public");
};
