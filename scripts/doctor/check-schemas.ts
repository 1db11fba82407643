import { serviceNames } from "@latchkey/contracts";
import type { createPostgresPool, Settings } from "@latchkey/service-kit";
import { pendingAll } from "../run-all.ts";
import type { Server } from "./explain-error.ts";
import { checkOutbox, publishers } from "./check-outbox.ts";
import { checkQueues } from "./check-queues.ts";
import { checkSigningKeys } from "./check-signing-keys.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { runCheck } from "./run-check.ts";

type Pool = ReturnType<typeof createPostgresPool>;

/** The schemas in which this user could not make what migrations make. */
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

/** Whether the schemas are up to date or could be brought there, and what is in those that are. */
export const checkSchemas = async (
  settings: Settings,
  server: Server,
  withPool: <T>(work: (pool: Pool) => Promise<T>) => Promise<T>,
): Promise<Finding[]> => {
  let pending: Record<string, string[]> | undefined;
  const schemas = await runCheck("schemas", server, async () => {
    pending = await pendingAll(settings);
    return [describePending(pending)];
  });
  const isCurrent = (schema: string) => pending?.[schema]?.length === 0;
  const isPending = Object.values(pending ?? {}).some((names) => names.length > 0);
  const owned = [...(settings.options.redisUrl ? [] : ["bus"]), ...serviceNames];
  const rest = await Promise.all([
    runCheck("rights", server, async () => [
      describeRights(await withPool((pool) => listClosedSchemas(pool, owned)), isPending),
    ]),
    ...(isCurrent("identity") ? [checkSigningKeys(settings, server)] : []),
    ...publishers.filter(isCurrent).map((schema) => checkOutbox(settings, server, schema)),
    // Queues in Redis are looked at with Redis.
    ...(isCurrent("bus") && !settings.options.redisUrl ? [checkQueues(settings, server)] : []),
  ]);
  return [...schemas, ...rest.flat()];
};
