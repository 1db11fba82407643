import { type ServiceName, serviceNames } from "@latchkey/contracts";
import type { createPostgresPool, Settings } from "@latchkey/service-kit";
import { pendingAll } from "../installation/migrate-all.ts";
import { readerSettings } from "../installation/services.ts";
import { checkAdmins } from "./check-admins.ts";
import { checkSecondFactors } from "./check-second-factors.ts";
import { checkOutbox, publishers } from "./check-outbox.ts";
import { checkQueues } from "./check-queues.ts";
import { checkSigningKeys } from "./check-signing-keys.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { type NamedDatabase, ownDatabase, serverOf, withPool } from "./named-database.ts";
import { runCheck } from "./run-check.ts";

type Pool = ReturnType<typeof createPostgresPool>;

/** Returns the schemas in which this user lacks the privileges for migrations. */
const listClosedSchemas = async (pool: Pool, schemas: readonly string[]): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
    where not case
      when to_regnamespace(name) is null then has_database_privilege(current_database(), 'create')
      else has_schema_privilege(to_regnamespace(name)::oid, 'create')
    end`,
    [schemas],
  );
  return rows.map(({ name }) => name);
};

const describePending = (pending: Readonly<Record<string, readonly string[]>>): Finding => {
  const lacking = Object.entries(pending).filter(([, names]) => names.length > 0);
  if (lacking.length === 0) return ok("schemas", "up to date");
  const listed = lacking.map(([schema, names]) => `${schema} (${names.join(", ")})`).join(", ");
  return fail("schemas", `migrations are missing in ${listed}`, "run npx latchkey migrate");
};

const describeRights = (closed: readonly string[], isPending: boolean): Finding => {
  if (closed.length === 0) return ok("rights", "this user may migrate");
  const detail = `this user may not create in ${closed.join(", ")}`;
  const remedy = "grant create on the database and these schemas, or migrate as their owner";
  return isPending ? fail("rights", detail, remedy) : warn("rights", detail, remedy);
};

const checkRights = (
  settings: Settings,
  database: NamedDatabase,
  isPending: boolean,
): Promise<Finding[]> => {
  const owned = [...(settings.options.redisUrl ? [] : ["bus"]), ...serviceNames];
  return runCheck("rights", serverOf(database), async () => [
    describeRights(
      await withPool(database.url, (pool) => listClosedSchemas(pool, owned)),
      isPending,
    ),
  ]);
};

/** Returns the services that have a database here. */
const servicesHere = ({ options }: Settings): readonly ServiceName[] =>
  serviceNames.filter((name) => options.databaseUrl ?? options.databases[name].url);

/**
 * Checks that the schemas are current or can be migrated, and the contents of the current ones. Without a `shared` database it checks those
 * of services that have their own.
 */
export const checkSchemas = async (
  settings: Settings,
  shared: NamedDatabase | undefined,
): Promise<Finding[]> => {
  const names = servicesHere(settings);
  const [first = "identity"] = names;
  const server = serverOf(shared ?? ownDatabase(settings, first));
  /** Returns the server for the checks of a service's data: its own address, if it has one. */
  const serverBy = (name: ServiceName) =>
    settings.options.databases[name].url ? serverOf(ownDatabase(settings, name)) : server;
  let pending: Record<string, string[]> | undefined;
  const schemas = await runCheck("schemas", server, async () => {
    pending = await pendingAll(settings, names);
    return [describePending(pending)];
  });
  const isCurrent = (schema: string) => pending?.[schema]?.length === 0;
  const isPending = Object.values(pending ?? {}).some((missing) => missing.length > 0);
  const rest = await Promise.all([
    ...(shared ? [checkRights(settings, shared, isPending)] : []),
    ...(isCurrent("identity")
      ? [checkSigningKeys, checkSecondFactors, checkAdmins].map((check) =>
          check(settings, serverBy("identity")),
        )
      : []),
    ...publishers
      .filter(isCurrent)
      .map((schema) => checkOutbox(settings, serverBy(schema), schema)),
    // Queues in Redis are checked with Redis.
    ...(isCurrent("bus") && !settings.options.redisUrl
      ? [checkQueues(readerSettings(settings, first), server)]
      : []),
  ]);
  return [...schemas, ...rest.flat()];
};
