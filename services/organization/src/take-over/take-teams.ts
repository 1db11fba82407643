import {
  createTableTaker,
  deleteTaken,
  forgetTaken,
  idLengthMax,
  listUntouched,
  readGiven,
  releaseTaken,
  type SourceBatch,
  takeBatch,
  type TakenBatch,
  takeOverTransaction,
  type TakePlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type GivenTeam, importedColumns } from "./given.ts";
import { takenInvitations, takenMembers, takenTeams } from "./queries.ts";
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
  takeOverTransaction(db, async (trx) => {
    const ids = [...(await listUntouched(trx, takenTeams, { source, model, keys }))];
    const released = { source, column: "teamId", ids };
    await releaseTaken(trx, takenMembers, { ...released, model: "member" });
    await releaseTaken(trx, takenInvitations, { ...released, model: "invitation" });
    const removed = await deleteTaken(trx, takenTeams, { source, model, keys: ids });
    await forgetTaken(trx, { source, model, keys });
    return removed;
  });

/** Imports teams. Members of a team that the source has deleted stay in the organization. */
export const takeTeams = (
  deps: Pick<Deps, "clock" | "db">,
  batch: SourceBatch<GivenTeam>,
): Promise<TakenBatch> =>
  takeBatch(
    deps,
    {
      ...createTableTaker(deps.db, takenTeams),
      remove: (keys) => remove(deps, keys, batch),
      plan: async (given) => {
        const made: TakePlan<object> = { rows: [], left: [], noted: [] };
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
