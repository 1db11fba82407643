import type { Options } from "@latchkey/contracts";
import type { createPostgresPool } from "@latchkey/service-kit";
import { checkRoles } from "./check-roles.ts";
import { checkSchemas } from "./check-schemas.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { type NamedDatabase, serverOf, withPool } from "./named-database.ts";
import { runCheck } from "./run-check.ts";

type Pool = ReturnType<typeof createPostgresPool>;

const versionMin = 14;
const readServer = async (pool: Pool) => {
  const { rows } = await pool.query<{ number: number; version: string; isReplica: boolean }>(
    `select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version, pg_is_in_recovery() as "isReplica"`,
  );
  return rows[0] ?? { number: 0, version: "unknown", isReplica: false };
};

/** Checks that Postgres answers at an address, is new enough, and is writable. */
export const checkServer = (named: NamedDatabase): Promise<Finding[]> => {
  const server = serverOf(named);
  const { check, option } = named;
  return runCheck(check, server, async () => {
    const { number, version, isReplica } = await withPool(named.url, readServer);
    const found = `Postgres ${version} at ${server.address}`;
    if (number < versionMin * 10_000)
      return [fail(check, found, `upgrade it to ${versionMin} or newer`)];
    if (isReplica) return [fail(check, `${found} is read-only`, `name its primary in ${option}`)];
    return [ok(check, found)];
  });
};

const checkTrigrams = (named: NamedDatabase): Promise<Finding[]> =>
  runCheck("pg_trgm", serverOf(named), async () => {
    const { rows } = await withPool(named.url, (pool) =>
      pool.query<{ installed: string | null }>(
        "select installed_version as installed from pg_available_extensions where name = 'pg_trgm'",
      ),
    );
    if (!rows[0])
      return [
        fail(
          "pg_trgm",
          "the server does not have the extension",
          "install Postgres' contributed extensions there (Debian: postgresql-contrib)",
        ),
      ];
    const { installed } = rows[0];
    return [ok("pg_trgm", installed ?? "available; the migrations create it")];
  });

/** Describes the database of this folder. Returns undefined if there is nothing to report. */
const describeOwn = ({ database, production }: Examined): Finding | undefined => {
  const advice = "set DATABASE_URL to a Postgres of your own";
  if (database === "embedded, stopped")
    return warn(
      "database",
      "no DATABASE_URL; the embedded Postgres of .data/postgres does not run, so it is not checked",
      `check again while npm start runs, or ${advice}`,
    );
  if (database === "none")
    return warn(
      "database",
      "no DATABASE_URL; npm start will create an embedded Postgres in .data/postgres",
      `run npm start, or ${advice}`,
    );
  if (database === "embedded" && production)
    return warn("embedded database", "no DATABASE_URL in production", advice);
  return undefined;
};

/** Returns the addresses that services share. */
export const sharedOf = ({ databaseUrl, directDatabaseUrl }: Options): NamedDatabase[] => {
  const main = { check: "database", option: "DATABASE_URL" };
  const direct = { check: "direct database", option: "DIRECT_DATABASE_URL" };
  return [
    ...(databaseUrl ? [{ ...main, url: databaseUrl }] : []),
    ...(directDatabaseUrl ? [{ ...direct, url: directDatabaseUrl }] : []),
  ];
};

/** Checks the database and, if it answers, its contents. */
export const checkDatabase = async (examined: Examined): Promise<Finding[]> => {
  const { settings, leftOut, database } = examined;
  if (leftOut.has("databaseUrl"))
    return [fail("database", "not checked: no valid address", "set DATABASE_URL")];
  const own = describeOwn(examined);
  if (database === "none" || database === "embedded, stopped") return own ? [own] : [];
  const shared = sharedOf(settings.options);
  const servers = await Promise.all(shared.map(checkServer));
  const found = [...(own ? [own] : []), ...servers.flat()];
  if (found.some(({ status }) => status === "fail")) return found;
  const [trigrams, schemas, roles] = await Promise.all([
    Promise.all(shared.slice(-1).map(checkTrigrams)),
    checkSchemas(settings, shared.at(-1)),
    checkRoles(examined),
  ]);
  return [...found, ...trigrams.flat(), ...schemas, ...roles];
};
