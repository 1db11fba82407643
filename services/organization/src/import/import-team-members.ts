import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  planRows,
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
) =>
  planRows(given, ({ values }) => {
    const { id, memberId } = values;
    const teamId = values.teamId ?? "";
    if (!memberId) return "its user is no member of the team's organization";
    if (batch.isLeft("member", memberId)) return "its member was not brought";
    if (batch.isLeft("team", teamId)) return "its team was not brought";
    if (id.length > idLengthMax) return "its id is too long";
    if (!batch.claim(`team member ${teamId} ${memberId}`))
      return "the member is already in the team";
    const read = readGiven(importedColumns.teamMember, { ...values, memberId });
    return { ...read, memberId, createdAt: read.createdAt ?? new Date(clock()) };
  });

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
export const importTeamMembers = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedTeamMembers, (ids) => takeOut(deps, ids)),
      endsRefused: true,
      plan: async (given) => planTeamMembers(deps, given, batch),
    },
    batch,
  );
