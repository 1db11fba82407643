import { withTakeOver as withKeys } from "@latchkey/apikey/commands";
import { withTakeOver as withIdentity } from "@latchkey/identity/commands";
import { withTakeOver as withOrganizations } from "@latchkey/organization/commands";
import type { Settings, SourceBatch, TakenBatch } from "@latchkey/service-kit";
import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";
import {
  modelNames,
  modelSql,
  type ModelSql,
  takenModelNames,
  type TakenModelName,
} from "./better-auth-models.ts";
import { checkSource } from "./check-source.ts";
import { withSource } from "./open-source.ts";
import { countRows, readBatches } from "./read-batches.ts";
import type { SourceNames } from "./source-names.ts";
import { findSourceTables, type SourceTables } from "./source-tables.ts";
import type { TakeOverReport } from "./take-over-report.ts";

/** What is taken over, and how. */
export interface TakeOverRequest {
  url: string;
  schema: string;
  names: SourceNames;
  /** What the database is called here, where there are several. */
  source: string;
  /** In which times without a zone are. */
  timeZone: string;
  isDryRun: boolean;
  report: TakeOverReport;
  /** Told how far it is. */
  onProgress: (model: string, done: number, total: number) => void;
}

type Take = (batch: SourceBatch<never>) => Promise<TakenBatch>;

interface Run {
  client: PoolClient;
  tables: SourceTables;
  request: TakeOverRequest;
  /** Rows that were not brought, and are not here from before, by model. */
  left: Map<string, Set<string>>;
  take: Readonly<Record<TakenModelName, Take>>;
  claim: (value: string) => boolean;
}

const takeModel = async (run: Run, model: TakenModelName, sql: ModelSql): Promise<void> => {
  const { client, request, left, take, claim } = run;
  const { source, isDryRun, report } = request;
  const total = await countRows(client, sql);
  const ownLeft = new Set<string>();
  left.set(model, ownLeft);
  let done = 0;
  for await (const batch of readBatches(client, sql)) {
    const taken = await take[model]({
      ...batch,
      source,
      model,
      isDryRun,
      claim,
      isLeft: (other: string, key: string) => left.get(other)?.has(key) ?? false,
    } as unknown as SourceBatch<never>); // each taker is given rows of its own model
    for (const { key, isHere } of taken.left) if (!isHere) ownLeft.add(key);
    await report.add(model, taken);
    done += batch.rows.length;
    request.onProgress(model, done, total);
  }
};

/** In a dry run nothing is written that would stand in the way of what comes after. */
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
    report.remark(`Tables that nothing is taken over from: ${tables.others.join(", ")}.`);
  for (const sql of sqls)
    if (sql && sql.unread.length > 0)
      report.remark(
        `Columns of ${sql.table.name} that are not taken over: ${sql.unread.join(", ")}.`,
      );
};

/** Brings this installation up to what another database has. */
export const takeOver = (settings: Settings, request: TakeOverRequest): Promise<void> =>
  withSource(request.url, async (client) => {
    const { schema, names, timeZone, isDryRun } = request;
    const tables = await findSourceTables(client, { schema, models: modelNames, names });
    if (!tables.of("user"))
      throw new Refusal(
        `the schema ${schema} of that database has no table of users. Name it with --schema, or the table in a file for --names.`,
      );
    const { options } = settings;
    const sqls = takenModelNames.map((model) => modelSql(model, { tables, timeZone, options }));
    await withIdentity(settings, (identity) =>
      withOrganizations(settings, (organization) =>
        withKeys(settings, async (keys) => {
          await checkSource(client, { identity, request, tables });
          const take = { ...identity.take, ...organization.take, ...keys.take };
          const claim = createClaims(isDryRun);
          const run: Run = { client, tables, request, left: new Map(), take, claim };
          for (const [index, model] of takenModelNames.entries()) {
            const sql = sqls[index];
            if (sql) await takeModel(run, model, sql);
          }
          remarkOthers(run, sqls);
          if (isDryRun) return;
          const all = request.report.counts();
          const noted = { source: request.source, counts: all };
          await noteEach(noted, { identity, organization, keys });
        }),
      ),
    );
  });

type Noted = { source: string; counts: ReturnType<TakeOverReport["counts"]> };
interface Notes {
  take: object;
  note(run: Noted): Promise<void>;
}

/** Each service has its own log, of what it took over itself. */
const noteEach = async (
  { source, counts }: Noted,
  services: Readonly<Record<string, Notes>>,
): Promise<void> => {
  for (const { take, note } of Object.values(services)) {
    const own = Object.entries(counts).filter(([model]) => Object.hasOwn(take, model));
    await note({ source, counts: Object.fromEntries(own) });
  }
};
