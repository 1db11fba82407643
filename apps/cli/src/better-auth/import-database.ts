import { withImport as withKeys } from "@latchkey/apikey/commands";
import { withImport as withIdentity } from "@latchkey/identity/commands";
import { withImport as withOrganizations } from "@latchkey/organization/commands";
import type { Settings, SourceBatch, ImportedBatch } from "@latchkey/service-kit";
import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";
import {
  modelNames,
  modelSql,
  type ModelSql,
  importedModelNames,
  type ImportedModelName,
} from "./better-auth-models.ts";
import { checkSource } from "./check-source.ts";
import { withSource } from "./open-source.ts";
import { countRows, readBatches } from "./read-batches.ts";
import type { SourceNames } from "./source-names.ts";
import { findSourceTables, type SourceTables } from "./source-tables.ts";
import type { ImportReport } from "./import-report.ts";

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
  const { client, request, left, importRows, claim } = run;
  const { source, isDryRun, report } = request;
  const total = await countRows(client, sql);
  const ownLeft = new Set<string>();
  left.set(model, ownLeft);
  let done = 0;
  for await (const batch of readBatches(client, sql)) {
    const imported = await importRows[model]({
      ...batch,
      source,
      model,
      isDryRun,
      claim,
      isLeft: (other: string, key: string) => left.get(other)?.has(key) ?? false,
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

/** Imports the current state of another database. */
export const importDatabase = (settings: Settings, request: ImportRequest): Promise<void> =>
  withSource(request.url, async (client) => {
    const { schema, names, timeZone, isDryRun } = request;
    const tables = await findSourceTables(client, { schema, models: modelNames, names });
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
