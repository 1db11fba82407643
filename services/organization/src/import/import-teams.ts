import {
  createTableImporter,
  deleteImported,
  forgetImported,
  idLengthMax,
  listUntouched,
  readGiven,
  releaseImported,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  importTransaction,
  type ImportPlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type GivenTeam, importedColumns } from "./given.ts";
import { importedInvitations, importedMembers, importedTeams } from "./queries.ts";
import { missingOrganization } from "./read-values.ts";

const nameLengthMax = 10_000;

/**
 * Deletes teams. Their members leave first. Otherwise the deletion would make them look changed here, and the import would ignore later
 * changes from the source.
 */
const remove = (
  { db }: Pick<Deps, "db">,
  keys: string[],
  { source, model }: Pick<SourceBatch<GivenTeam>, "source" | "model">,
): Promise<Set<string>> =>
  importTransaction(db, async (trx) => {
    const ids = [...(await listUntouched(trx, importedTeams, { source, model, keys }))];
    const released = { source, column: "teamId", ids };
    await releaseImported(trx, importedMembers, { ...released, model: "member" });
    await releaseImported(trx, importedInvitations, { ...released, model: "invitation" });
    const removed = await deleteImported(trx, importedTeams, { source, model, keys: ids });
    await forgetImported(trx, { source, model, keys });
    return removed;
  });

/** Imports teams. Members of a team that the source has deleted stay in the organization. */
export const importTeams = (
  deps: Pick<Deps, "clock" | "db">,
  batch: SourceBatch<GivenTeam>,
): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedTeams),
      remove: (keys) => remove(deps, keys, batch),
      plan: async (given) => {
        const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
        for (const { key, hash, values } of given) {
          const { id } = values;
          const missing = missingOrganization(values, batch);
          const reason = missing ?? (id.length > idLengthMax ? "its id is too long" : undefined);
          const read = readGiven(importedColumns.team, values, nameLengthMax);
          const createdAt = read.createdAt ?? new Date(deps.clock());
          const row = { ...read, name: read.name ?? "", createdAt };
          if (reason) made.left.push({ key, reason });
          else made.rows.push({ key, hash, values: row });
        }
        return made;
      },
    },
    batch,
  );
