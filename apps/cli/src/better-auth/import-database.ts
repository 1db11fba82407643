import { withImport as withKeys } from "@latchkey/apikey/commands";
import { withImport as withIdentity } from "@latchkey/identity/commands";
import { withImport as withOrganizations } from "@latchkey/organization/commands";
import type { Settings } from "@latchkey/service-kit/config";
import { createPostgresPool } from "@latchkey/service-kit/database";
import type { SourceBatch, ImportedBatch } from "@latchkey/service-kit/import";
import { createLogger } from "@latchkey/service-kit/observe";
import type { PoolClient } from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../terminal/refusal.ts";
import {
  modelSql,
  type ModelSql,
  importedModelNames,
  type ImportedModelName,
} from "./better-auth-models.ts";
import { checkSource } from "./check-source.ts";
import { countRows, countUnprovenPasswords, readBatches } from "./read-batches.ts";
import type { SourceNames } from "./source-names.ts";
import { findSourceTables, type SourceTables } from "./source-tables.ts";
import type { ImportReport } from "./import-report.ts";

const lockWaitMilliseconds = 15_000;
const lockLookMilliseconds = 250;

const begin = async (client: PoolClient): Promise<boolean> => {
  await client.query("begin transaction isolation level repeatable read, read only");
  await client.query(`set local statement_timeout = 0`);
  await client.query(`set local idle_in_transaction_session_timeout = 0`);
  await client.query(`set local timezone = 'UTC'`);
  // With row security, hidden rows would look deleted. Off, a query fails for a user who cannot read all rows.
  await client.query(`set local row_security = off`);
  await client.query(`set local work_mem = '64MB'`);
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('latchkey import')) as locked",
  );
  return rows[0]?.locked ?? false;
};

/**
 * Only one import runs at a time, because two would undo each other's deletions. A killed import may hold the lock for another moment. Each
 * try is a separate transaction, because its first statement fixes the snapshot. A single waiting transaction would see the state before
 * the other import.
 */
const beginAlone = async (client: PoolClient): Promise<void> => {
  const giveUpAt = performance.now() + lockWaitMilliseconds;
  while (!(await begin(client))) {
    await client.query("rollback");
    if (performance.now() > giveUpAt)
      throw new Refusal("another import from that database is running.");
    await delay(lockLookMilliseconds);
  }
};

/** Calls `work` with a read-only snapshot of another database. Writers there are not blocked, and their changes are not visible. */
const withSource = async <T>(url: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const logger = createLogger({ service: "import", level: "silent" });
  const pool = createPostgresPool({
    url,
    max: 1,
    logger,
    applicationName: "latchkey-import",
    queryMilliseconds: 0,
  });
  try {
    const client = await pool.connect();
    try {
      await beginAlone(client);
      return await work(client);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
};

/** The source and the options of an import. */
export interface ImportRequest {
  url: string;
  schema: string;
  names: SourceNames;
  /** The name of the source, which distinguishes several databases. */
  source: string;
  /** The time zone of times without one. */
  timeZone: string;
  isDryRun: boolean;
  report: ImportReport;
  /** Called with the progress. */
  onProgress: (model: string, done: number, total: number) => void;
}

type ImportRows = (batch: SourceBatch<never>) => Promise<ImportedBatch>;

interface Run {
  client: PoolClient;
  tables: SourceTables;
  request: ImportRequest;
  /** Rows that were not imported and did not exist from an earlier run, by model. */
  left: Map<string, Set<string>>;
  importRows: Readonly<Record<ImportedModelName, ImportRows>>;
  claim: (value: string) => boolean;
}

const importModel = async (run: Run, model: ImportedModelName, sql: ModelSql): Promise<void> => {
  const { client, request, left: leftOut, importRows, claim } = run;
  const { source, isDryRun, report } = request;
  const total = await countRows(client, sql);
  const ownLeft = new Set<string>();
  leftOut.set(model, ownLeft);
  let done = 0;
  for await (const batch of readBatches(client, sql)) {
    const imported = await importRows[model]({
      ...batch,
      source,
      model,
      isDryRun,
      claim,
      isLeft: (other: string, key: string) => leftOut.get(other)?.has(key) ?? false,
    } as unknown as SourceBatch<never>); // each importer gets only rows of its model
    for (const { key, isHere } of imported.left) if (!isHere) ownLeft.add(key);
    await report.add(model, imported);
    done += batch.rows.length;
    request.onProgress(model, done, total);
  }
};

/** A dry run writes nothing, so it must track values that would conflict with later rows. */
const createClaims = (isDryRun: boolean) => {
  const claimed = new Set<string>();
  return (value: string): boolean => {
    if (!isDryRun) return true;
    const isFree = !claimed.has(value);
    claimed.add(value);
    return isFree;
  };
};

const remarkOthers = ({ tables, request }: Run, sqls: readonly (ModelSql | undefined)[]): void => {
  const { report } = request;
  if (tables.others.length > 0)
    report.remark(`Tables that are not imported: ${tables.others.join(", ")}.`);
  for (const sql of sqls)
    if (sql && sql.unread.length > 0)
      report.remark(
        `Columns of ${sql.table.name} that are not imported: ${sql.unread.join(", ")}.`,
      );
};

/** One remark for all users, because a note for each would hide the others. */
const remarkRoles = ({ tables, request }: Run, { options }: Settings): void => {
  if (tables.of("user")?.columnOf("role") === undefined)
    request.report.remark(
      `The source has no roles of users: new users get the role ${options.admin.defaultRole}.`,
    );
};

/** A claim of an address ends the password that somebody chose before the address was proven, so the operator should know how many. */
const remarkUnproven = async ({ client, tables, request }: Run): Promise<void> => {
  const count = await countUnprovenPasswords(client, tables);
  if (count > 0)
    request.report.remark(
      `Users with a password and without a verified address: ${count}. The password ends when somebody proves the address.`,
    );
};

/** Imports the current state of another database. */
export const importDatabase = (settings: Settings, request: ImportRequest): Promise<void> =>
  withSource(request.url, async (client) => {
    const { schema, names, timeZone, isDryRun } = request;
    const tables = await findSourceTables(client, { schema, models: importedModelNames, names });
    if (!tables.of("user"))
      throw new Refusal(
        `the schema ${schema} of that database has no table of users. Name it with --schema, or the table in a file for --names.`,
      );
    const { options } = settings;
    const sqls = importedModelNames.map((model) => modelSql(model, { tables, timeZone, options }));
    await withIdentity(settings, (identity) =>
      withOrganizations(settings, (organization) =>
        withKeys(settings, async (keys) => {
          await checkSource(client, { identity, request, tables });
          const importRows = {
            ...identity.importRows,
            ...organization.importRows,
            ...keys.importRows,
          };
          const claim = createClaims(isDryRun);
          const run: Run = { client, tables, request, left: new Map(), importRows, claim };
          for (const [index, model] of importedModelNames.entries()) {
            const sql = sqls[index];
            if (sql) await importModel(run, model, sql);
          }
          await remarkUnproven(run);
          remarkRoles(run, settings);
          remarkOthers(run, sqls);
          if (isDryRun) return;
          const all = request.report.counts();
          const noted = { source: request.source, counts: all };
          await recordEach(noted, { identity, organization, keys });
        }),
      ),
    );
  });

type Noted = { source: string; counts: ReturnType<ImportReport["counts"]> };
interface Notes {
  importRows: object;
  note(run: Noted): Promise<void>;
}

/** Each service has a separate log, with the rows that it imported. */
const recordEach = async (
  { source, counts }: Noted,
  services: Readonly<Record<string, Notes>>,
): Promise<void> => {
  for (const { importRows, note } of Object.values(services)) {
    const own = Object.entries(counts).filter(([model]) => Object.hasOwn(importRows, model));
    await note({ source, counts: Object.fromEntries(own) });
  }
};
