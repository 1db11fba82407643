import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createSecretRing, hmacSha256, scramVerifier } from "@latchkey/crypto";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import type pg from "pg";
import type { Settings } from "../config/settings.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { createLogger } from "../observe/logger.ts";
import {
  closePublicSchema,
  findEntry,
  findOpenPublicSchema,
  type Excess,
  findRole,
  findScramIterations,
  type Grant,
  grantConnection,
  grantFuture,
  grantObjects,
  grantSchema,
  insertRole,
  listGranted,
  listMigrationTables,
  listSchemas,
  lockRoles,
  objectKinds,
  revokeFuture,
  revokeObjects,
  revokeSchema,
  revokeWriting,
  updateRole,
} from "./queries.ts";
import { type WantedRole, wantedRoles } from "./wanted-roles.ts";

/** A role with the rights that its services need. */
export interface GrantedRole {
  name: string;
  services: readonly ServiceName[];
  /** Whether it has the configured password. Otherwise it keeps its own, which this user may not change. */
  hasPassword: boolean;
}

const saltBytes = 16;
const attemptsMax = 30;
/** Pause between attempts. The random length keeps colliding transactions from retrying in step. */
const restMilliseconds = { min: 10, max: 100 };

/** Error codes of concurrent calls. Roles belong to the whole server, and a lock in one database does not protect another. */
const passing = new Set(["23505", "42710", "40001", "40P01", "XX000"]);

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** Returns the same verifier each time, so that a pooler with a copy of it keeps working. */
const verifierOf = (
  { options }: Settings,
  { name, password }: WantedRole,
  iterations: number,
): string | undefined => {
  if (password === undefined) return undefined;
  const [key] = createSecretRing(options.secret).derive("database roles");
  const salt = Buffer.from(hmacSha256(key, name, "base64"), "base64").subarray(0, saltBytes);
  return scramVerifier(password, salt, iterations);
};

/** Creates the role or sets its password. Returns false if it exists and this user may not change it. */
const ensureRole = async (
  client: pg.PoolClient,
  name: string,
  verifier: string | undefined,
): Promise<boolean> => {
  const isThere = (await findRole(client, name)) !== undefined;
  await client.query("savepoint role");
  try {
    await (isThere ? updateRole : insertRole)(client, name, verifier);
    return true;
  } catch (error) {
    if (codeOf(error) !== "42501") throw error;
    if (!isThere)
      throw new Error(
        `The role ${name} does not exist, and this user may not create roles: allow it (alter role ... createrole), or create the role yourself (create role ... login password ...)`,
        { cause: error },
      );
    await client.query("rollback to savepoint role");
    return false;
  }
};

/** Revokes all rights in a schema, including those on later objects. */
const closeSchema = async (client: pg.PoolClient, grant: Grant): Promise<void> => {
  await revokeSchema(client, grant);
  for (const kind of objectKinds) {
    await revokeObjects(client, grant, kind);
    await revokeFuture(client, grant, kind);
  }
};

/** Lets a role read and write in a schema, including later objects. The migration tables stay read-only. */
const openSchema = async (client: pg.PoolClient, grant: Grant): Promise<void> => {
  await closeSchema(client, grant);
  await grantSchema(client, grant);
  for (const kind of objectKinds) {
    await grantObjects(client, grant, kind);
    await grantFuture(client, grant, kind);
  }
  for (const table of await listMigrationTables(client, grant.schema))
    await revokeWriting(client, grant, table);
};

const grantRole = async (
  client: pg.PoolClient,
  role: WantedRole,
  verifier: string | undefined,
): Promise<boolean> => {
  const { name } = role;
  const hasPassword = await ensureRole(client, name, verifier);
  const schemas = await listSchemas(client, ["bus", ...serviceNames]);
  const others = schemas.filter((schema) => !role.schemas.includes(schema));
  if (await findOpenPublicSchema(client)) await closePublicSchema(client);
  const entry = await findEntry(client, name);
  if (entry && !entry.mayConnect) await grantConnection(client, entry.database, name);
  for (const schema of await listGranted(client, { to: "public", schemas }))
    await closeSchema(client, { schema, role: "public" });
  for (const schema of await listGranted(client, { to: name, schemas: others }))
    await closeSchema(client, { schema, role: name });
  for (const schema of schemas.filter((one) => role.schemas.includes(one)))
    await openSchema(client, { schema, role: name });
  return hasPassword;
};

const inTransaction = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    await client.query("begin");
    try {
      await lockRoles(client);
      const result = await work();
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback");
      if (attempt === attemptsMax || !passing.has(codeOf(error))) throw error;
      await delay(randomInt(restMilliseconds.min, restMilliseconds.max));
    }
  }
};

const excesses: Readonly<Record<Excess, string>> = {
  superuser: "is a superuser",
  replication: "may copy the whole server (replication)",
  "member of the owner": "is a member of the owner's role",
};

const refuseExcess = ({ name, services }: WantedRole, excess: Excess): never => {
  throw new Error(
    `The role ${name} of ${services.join(", ")} ${excesses[excess]}, so it cannot be restricted: configure another role`,
  );
};

const withOwner = async <T>(
  { options }: Settings,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const { databaseUrl = "", directDatabaseUrl: url = databaseUrl } = options;
  const logger = createLogger({ service: "latchkey", ...options.logger });
  const pool = createPostgresPool({ url, max: 1, logger, applicationName: "latchkey-roles" });
  try {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
};

/**
 * Creates the services' own roles, and lets each read and write the schemas of its services and nothing else. A role may not
 * alter tables. The schemas must be up to date. Must run as their owner. Safe to repeat and to run concurrently. The owner's
 * own role is left unchanged.
 */
export const grantRoles = async (
  settings: Settings,
  services: readonly ServiceName[],
): Promise<GrantedRole[]> => {
  const wanted = wantedRoles(settings).filter((role) =>
    role.services.some((service) => services.includes(service)),
  );
  if (wanted.length === 0) return [];
  return withOwner(settings, async (client) => {
    const iterations = await findScramIterations(client);
    const granted: GrantedRole[] = [];
    for (const role of wanted) {
      const existingRole = await findRole(client, role.name);
      if (existingRole?.isOurs) continue;
      if (existingRole?.excess) refuseExcess(role, existingRole.excess);
      const verifier = verifierOf(settings, role, iterations);
      const hasPassword = await inTransaction(client, () => grantRole(client, role, verifier));
      granted.push({ name: role.name, services: role.services, hasPassword });
    }
    return granted;
  });
};
