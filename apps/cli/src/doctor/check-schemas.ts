import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { type Settings, settingsOf } from "@latchkey/service-kit/config";
import {
  type createPostgresPool,
  type KitTables,
  openDatabase,
  withDatabase,
} from "@latchkey/service-kit/database";
import { findBacklog } from "@latchkey/service-kit/events";
import { createLogger } from "@latchkey/service-kit/observe";
import { adminsWithoutSecondFactor, examineSigningKeys } from "@latchkey/identity/commands";
import { examineClients } from "@latchkey/oauth/commands";
import { createSecretRing } from "@latchkey/crypto";
import { passSealed, type SealedCounts } from "@latchkey/service-kit/secrets";
import { pendingAll } from "../installation/migrate-all.ts";
import { readerSettings } from "../installation/services.ts";
import { checkQueues } from "./check-queues.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { type NamedDatabase, ownDatabase, serverOf, withPool } from "./named-database.ts";
import { runCheck } from "./run-check.ts";
import type { Server } from "./explain-error.ts";

/** Checks that the current secrets decrypt the signing keys of tokens. */
const checkSigningKeys = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("signing keys", server, async () => {
    if (!settings.options.jwt.enabled) return [ok("signing keys", "jwt.enabled is off")];
    const keys = await examineSigningKeys(settings);
    if (keys.length === 0)
      return [ok("signing keys", "none yet: identity creates one at its start")];
    const closed = keys.filter(({ isRetired, opens }) => !isRetired && !opens);
    if (closed.length === 0) return [ok("signing keys", `${keys.length} published`)];
    return [
      fail(
        "signing keys",
        `${closed.map(({ kid }) => kid).join(", ")} cannot be opened: sealed with another secret`,
        "list that secret again after the current one, in every process, or run npx latchkey rotate-keys",
      ),
    ];
  });

/** Enough rows of each column to find a secret that is missing, even in a large installation. */
const rowsMax = 10_000;

const list = (counts: readonly SealedCounts[], member: "closed" | "earlier"): string =>
  counts
    .filter((count) => count[member] > 0)
    .map(({ place, ...count }) => `${count[member]} of ${place.table}.${place.column}`)
    .join(", ");

/** Checks that the configured secrets open what a service has sealed, and warns while an earlier one is still needed. */
const checkSealedValues = (
  settings: Settings,
  server: Server,
  service: ServiceName,
): Promise<Finding[]> => {
  const what = `sealed values of ${service}`;
  return runCheck(what, server, async () => {
    const ring = createSecretRing(settings.options.secret);
    const all = await withDatabase<object, SealedCounts[]>(settings, service, (db) =>
      passSealed({ db, service, ring, rowsMax, isResealing: false }),
    );
    // Signing keys have a check of their own, because a retired one need not open.
    const counts = all.filter(({ place }) => !place.isLegacy);
    const [closed, earlier] = [list(counts, "closed"), list(counts, "earlier")];
    if (closed !== "")
      return [
        fail(
          what,
          `no configured secret opens ${closed}`,
          "list the secret that sealed them after the current one in AUTH_SECRET, or run npx latchkey reseal --from-file with that secret",
        ),
      ];
    if (earlier !== "")
      return [
        warn(
          what,
          `an earlier secret sealed ${earlier}`,
          "keep that secret in AUTH_SECRET until npx latchkey reseal has sealed them again",
        ),
      ];
    return [ok(what, "the current secret opens them")];
  });
};

/** A running relay publishes every event within this time. */
const patienceMilliseconds = 60_000;
/** The services that publish events. */
const publishers = ["identity", "organization", "apikey", "mailer", "webhooks", "oauth"] as const;
const logger = createLogger({ service: "doctor", level: "silent" });

/** Counts the events of a service that are not published yet. */
const checkOutbox = (
  settings: Settings,
  server: Server,
  schema: (typeof publishers)[number],
): Promise<Finding[]> => {
  const check = `outbox ${schema}`;
  return runCheck(check, server, async () => {
    const db = openDatabase<KitTables>(settingsOf(settings, schema), { schema, logger });
    const { waiting, oldest } = await findBacklog(db).finally(() => void db.destroy());
    const said = `${waiting} ${waiting === 1 ? "event waits" : "events wait"}`;
    const isLate = oldest !== null && Date.now() - oldest.getTime() > patienceMilliseconds;
    return isLate
      ? [
          warn(
            check,
            `${said}, since ${oldest.toISOString()}`,
            `make sure that ${schema} runs and the bus answers; no event is lost`,
          ),
        ]
      : [ok(check, said)];
  });
};

/** Warns of admins whose password alone opens the installation. */
const checkAdmins = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("admins", server, async () => {
    const { admin, twoFactor } = settings.options;
    if (!admin.enabled || !twoFactor.enabled)
      return [ok("admins", "admin.enabled or twoFactor.enabled is off")];
    const lacking = await adminsWithoutSecondFactor(settings);
    if (lacking.length === 0) return [ok("admins", "none lacks a second factor")];
    return [
      warn(
        "admins",
        `without a second factor: ${lacking.join(", ")}`,
        "let them turn it on, or require it of their role by twoFactor.required.roles",
      ),
    ];
  });

/** Checks that clients find the provider at one address, and that their scopes are those that are configured. */
const checkClients = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("oauth clients", server, async () => {
    const { baseURL, oauthProvider } = settings.options;
    if (!oauthProvider.enabled) return [ok("oauth clients", "oauthProvider.enabled is off")];
    const { count, withoutScopes } = await examineClients(settings);
    const findings = [
      ...(baseURL === undefined
        ? [
            warn(
              "oauth clients",
              "baseURL is not set, so the issuer is whatever address a client uses",
              "set baseURL to the address that clients know",
            ),
          ]
        : []),
      ...(withoutScopes.length > 0
        ? [
            warn(
              "oauth clients",
              `scopes that are not configured are ignored: ${withoutScopes.join(", ")}`,
              "add them to oauthProvider.scopes, or take them from these clients",
            ),
          ]
        : []),
    ];
    return findings.length > 0 ? findings : [ok("oauth clients", `${count} registered`)];
  });

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
      ? [checkSigningKeys, checkAdmins].map((check) => check(settings, serverBy("identity")))
      : []),
    ...(isCurrent("oauth") ? [checkClients(settings, serverBy("oauth"))] : []),
    ...names
      .filter((name) => name !== "gateway" && isCurrent(name))
      .map((name) => checkSealedValues(settings, serverBy(name), name)),
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
