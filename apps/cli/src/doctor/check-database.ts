import type { Options } from "@latchkey/contracts";
import type { createPostgresPool } from "@latchkey/service-kit/database";
import { shownData } from "../installation/open-installation.ts";
import { checkRoles } from "./check-roles.ts";
import { checkSchemas } from "./check-schemas.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { type NamedDatabase, serverOf, withPool } from "./named-database.ts";
import { runCheck } from "./run-check.ts";

type Pool = ReturnType<typeof createPostgresPool>;

const versionMin = 14;

interface Server {
  number: number;
  version: string;
  isReplica: boolean;
  encoding: string;
}

const readServer = async (pool: Pool): Promise<Server> => {
  const { rows } = await pool.query<Server>(
    `select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version, pg_is_in_recovery() as "isReplica",
      getdatabaseencoding() as encoding`,
  );
  return rows[0] ?? { number: 0, version: "unknown", isReplica: false, encoding: "unknown" };
};

/** Describes another encoding than UTF8. SQL_ASCII keeps the bytes of any text, and the others refuse names with letters that they lack. */
const describeEncoding = (check: string, found: string, encoding: string): Finding => {
  const remedy =
    "create a database with `encoding 'UTF8' template template0`, and restore a dump into it";
  return encoding === "SQL_ASCII"
    ? warn(check, `${found} has the encoding SQL_ASCII, so searches distinguish accents`, remedy)
    : fail(
        check,
        `${found} has the encoding ${encoding}, which lacks letters of many names`,
        remedy,
      );
};

/** Checks that Postgres answers at an address, is new enough and writable, and that the database takes every letter. */
export const checkServer = (named: NamedDatabase): Promise<Finding[]> => {
  const server = serverOf(named);
  const { check, option } = named;
  return runCheck(check, server, async () => {
    const { number, version, isReplica, encoding } = await withPool(named.url, readServer);
    const description = `Postgres ${version} at ${server.address}`;
    if (number < versionMin * 10_000)
      return [fail(check, description, `upgrade it to ${versionMin} or newer`)];
    if (isReplica)
      return [fail(check, `${description} is read-only`, `name its primary in ${option}`)];
    return [
      encoding === "UTF8" ? ok(check, description) : describeEncoding(check, description, encoding),
    ];
  });
};

/**
 * Checks that a statement stays prepared for its connection. A pooler in transaction mode may run it on another connection to the server,
 * which does not know it. Another client takes the connection that prepared it, so that the second run needs a different one.
 */
export const checkPreparedStatements = async (
  named: NamedDatabase,
  { advanced }: Options,
): Promise<Finding[]> => {
  if (!advanced.database.preparedStatements) return [];
  const check = "prepared statements";
  const server = serverOf(named);
  const findings = await runCheck(check, server, () =>
    withPool(named.url, async (pool) => {
      const [first, second] = [await pool.connect(), await pool.connect()];
      try {
        const run = () => first.query({ name: "latchkey_doctor", text: "select 1" });
        await run();
        await second.query("begin");
        await run();
        await second.query("rollback");
        return [ok(check, `work at ${server.address}`)];
      } finally {
        // Destroyed, so that nothing of them is used again.
        first.release(true);
        second.release(true);
      }
    }),
  );
  // The check of the server itself reports everything else.
  return findings.filter(({ status, remedy }) => status === "ok" || remedy?.includes("PREPARED"));
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
      `no DATABASE_URL; the embedded Postgres of ${shownData("postgres")} does not run, so it is not checked`,
      `check again while npm start runs, or ${advice}`,
    );
  if (database === "none")
    return warn(
      "database",
      `no DATABASE_URL; npm start will create an embedded Postgres in ${shownData("postgres")}`,
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
  const findings = [...(own ? [own] : []), ...servers.flat()];
  if (findings.some(({ status }) => status === "fail")) return findings;
  const [prepared, trigrams, schemas, roles] = await Promise.all([
    // Migrations use the direct address, the services the first one.
    Promise.all(shared.slice(0, 1).map((each) => checkPreparedStatements(each, settings.options))),
    Promise.all(shared.slice(-1).map(checkTrigrams)),
    checkSchemas(settings, shared.at(-1)),
    checkRoles(examined),
  ]);
  return [...findings, ...prepared.flat(), ...trigrams.flat(), ...schemas, ...roles];
};
