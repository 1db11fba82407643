import pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Serializes changes of rights in this database until the transaction ends. */
export const lockRoles = async (client: Client): Promise<void> => {
  await client.query("select pg_advisory_xact_lock(hashtext('latchkey roles'))");
};

/** Reasons why a role cannot be restricted. */
export type Excess = "superuser" | "replication" | "member of the owner";

/** Returns whether a role is the current user and whether it cannot be restricted, or undefined if it does not exist. */
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

/** Returns the iterations with which the server hashes passwords. Before version 16 that is a constant of Postgres. */
export const findScramIterations = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ iterations: number }>(
    "select coalesce(current_setting('scram_iterations', true), '4096')::int as iterations",
  );
  return rows[0]?.iterations ?? 4096;
};

const withPassword = (verifier: string | undefined): string =>
  verifier === undefined ? "" : ` password ${pg.escapeLiteral(verifier)}`;

/** Creates a login role. Postgres receives only the verifier of its password. Without one, it authenticates by other means. */
export const insertRole = async (
  client: Client,
  name: string,
  verifier: string | undefined,
): Promise<void> => {
  await client.query(`create role ${quoted(name)} login${withPassword(verifier)}`);
};

/** Enables login for a role, and sets its password if one is given. */
export const updateRole = async (
  client: Client,
  name: string,
  verifier: string | undefined,
): Promise<void> => {
  await client.query(`alter role ${quoted(name)} login${withPassword(verifier)}`);
};

/** Returns the existing schemas among these. */
export const listSchemas = async (client: Client, names: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname = any($1)",
    [names],
  );
  return rows.map(({ name }) => name);
};

/** Returns the schemas among these in which a role, or `public` (everybody), has direct rights. */
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

/** The rights of a service's role on the objects in its schema. */
const rights = {
  tables: "select, insert, update, delete",
  sequences: "usage, select",
  functions: "execute",
} as const;

export type ObjectKind = keyof typeof rights;
export const objectKinds: readonly ObjectKind[] = ["tables", "sequences", "functions"];

/** A schema and a role. `public` stands for everybody. */
export interface Grant {
  schema: string;
  role: string;
}

const named = ({ schema, role }: Grant): [string, string] => [
  quoted(schema),
  role === "public" ? role : quoted(role),
];

/** Revokes a role's access to a schema. */
export const revokeSchema = async (client: Client, grant: Grant): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`revoke all on schema ${schema} from ${role}`);
};

/** Revokes a role's rights on existing objects of a kind. */
export const revokeObjects = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`revoke all on all ${kind} in schema ${schema} from ${role}`);
};

/** Revokes a role's rights on later objects of a kind. */
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

/** Grants access to a schema, without the right to create objects. */
export const grantSchema = async (client: Client, grant: Grant): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`grant usage on schema ${schema} to ${role}`);
};

/** Grants rights on existing objects of a kind, without the right to alter tables. */
export const grantObjects = async (
  client: Client,
  grant: Grant,
  kind: ObjectKind,
): Promise<void> => {
  const [schema, role] = named(grant);
  await client.query(`grant ${rights[kind]} on all ${kind} in schema ${schema} to ${role}`);
};

/** Grants rights on later objects of a kind. */
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

/** Returns the migration tables of a schema. */
export const listMigrationTables = async (client: Client, schema: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = to_regnamespace($1) and relname in ('migration', 'migration_lock')`,
    [quoted(schema)],
  );
  return rows.map(({ name }) => name);
};

/** Makes a table read-only for a role. */
export const revokeWriting = async (
  client: Client,
  { schema, role }: Grant,
  table: string,
): Promise<void> => {
  const place = `${quoted(schema)}.${quoted(table)}`;
  await client.query(`revoke insert, update, delete on ${place} from ${quoted(role)}`);
};

/** Returns the database's name and whether a role may connect. */
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

/** Lets a role connect to a database. */
export const grantConnection = async (
  client: Client,
  database: string,
  role: string,
): Promise<void> => {
  await client.query(`grant connect on database ${quoted(database)} to ${quoted(role)}`);
};

/** Returns the schema `public` if everybody may create objects in it, as before Postgres 15, and this user may change that. */
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

/** Lets only its owner create objects in the schema `public`. */
export const closePublicSchema = async (client: Client): Promise<void> => {
  await client.query("revoke create on schema public from public");
};
