import {
  createTableImporter,
  forgetImported,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
  readGiven,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { findMemberById } from "../rows/members.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { leaveTeam } from "../teams/change-teams.ts";
import { importedTeamMembers, listTeamMembersByIds } from "./queries.ts";
import { type GivenTeamMember, importActor as actor, importedColumns } from "./read-values.ts";

type Needs = Pick<Deps, "clock" | "db" | "newEventId" | "ring">;
type Batch = SourceBatch<GivenTeamMember>;

const planTeamMembers = (
  { clock }: Needs,
  given: readonly GivenRow<GivenTeamMember>[],
  batch: Batch,
) => {
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  for (const { key, hash, values } of given) {
    const { id, memberId } = values;
    const teamId = values.teamId ?? "";
    const leave = (reason: string) => made.left.push({ key, reason });
    if (!memberId) leave("its user is no member of the team's organization");
    else if (batch.isLeft("member", memberId)) leave("its member was not brought");
    else if (batch.isLeft("team", teamId)) leave("its team was not brought");
    else if (id.length > idLengthMax) leave("its id is too long");
    else if (!batch.claim(`team member ${teamId} ${memberId}`))
      leave("the member is already in the team");
    else {
      const read = readGiven(importedColumns.teamMember, { ...values, memberId });
      const createdAt = read.createdAt ?? new Date(clock());
      made.rows.push({ key, hash, values: { ...read, memberId, createdAt } });
    }
  }
  return made;
};

/** Takes members out of teams as an owner would, so that sessions leave the team. Returns the ids of the places that ended. */
const takeOut = async (deps: Needs, ids: readonly string[]): Promise<Set<string>> => {
  const ended = new Set<string>();
  for (const { id, teamId, memberId, organizationId } of await listTeamMembersByIds(deps.db, ids)) {
    const isOut = await deps.db.transaction().execute(async (trx) => {
      if (!(await lockOrganization(trx, organizationId))) return false;
      const member = await findMemberById(trx, { organizationId, id: memberId });
      return member !== undefined && leaveTeam(deps, trx, { member, teamId, actor });
    });
    if (isOut) ended.add(id);
  }
  return ended;
};

/** Imports the teams of members, of which a member may have several. */
export const importTeamMembers = (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  const table = createTableImporter(deps.db, importedTeamMembers);
  return importBatch(
    deps,
    {
      ...table,
      endsRefused: true,
      plan: async (given) => planTeamMembers(deps, given, batch),
      remove: async (keys) => {
        const removed = await takeOut(deps, [...(await table.untouched(keys, batch))]);
        await forgetImported(deps.db, { source: batch.source, model: batch.model, keys });
        return removed;
      },
    },
    batch,
  );
};
