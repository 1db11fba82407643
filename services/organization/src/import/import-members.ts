import {
  createTableImporter,
  forgetImported,
  type GivenRow,
  idLengthMax,
  readGiven,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  removeMemberInTransaction,
  type RemoveMemberInTransactionNeeds,
} from "../members/remove-member-in-transaction.ts";
import { findMembership } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { type GivenMember, importedColumns } from "./given.ts";
import { listMembersByIds, importedMembers } from "./queries.ts";
import { missingOrganization, readRole } from "./read-values.ts";
import { importActor as actor } from "./import-actor.ts";

type Needs = RemoveMemberInTransactionNeeds & Pick<Deps, "db">;
type Batch = SourceBatch<GivenMember>;

const refusalOf = ({ values }: GivenRow<GivenMember>, batch: Batch): string | undefined => {
  const { id, userId, hasUser } = values;
  if (!userId || !hasUser) return "its user does not exist";
  if (batch.isLeft("user", userId)) return "its user was not brought";
  return (
    missingOrganization(values, batch) ??
    (id.length > idLengthMax || userId.length > idLengthMax ? "its id is too long" : undefined)
  );
};

const plan = (deps: Needs, given: readonly GivenRow<GivenMember>[], batch: Batch) => {
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  for (const one of given) {
    const { key, hash, values } = one;
    const { organizationId, userId, teamId, teamCount } = values;
    const note = (reason: string) => made.noted.push({ key, reason });
    const role = readRole(deps.config, values.role, note);
    const isTeamThere = teamId !== null && !batch.isLeft("team", teamId);
    const reason =
      refusalOf(one, batch) ??
      (role === undefined ? "it has no role of organization.roles" : undefined) ??
      (batch.claim(`member ${organizationId} ${userId}`)
        ? undefined
        : "the user is already a member");
    if (reason) made.left.push({ key, reason });
    else {
      if ((teamCount ?? 0) > 1) note("the member is in several teams and joined only the first");
      const read = readGiven(importedColumns.member, values);
      const createdAt = read.createdAt ?? new Date(deps.clock());
      const row = { ...read, role, teamId: isTeamThere ? teamId : null, createdAt };
      made.rows.push({ key, hash, values: row });
    }
  }
  return made;
};

/** Removes a member as an owner would, so that sessions leave the organization. */
const expel = (
  deps: Needs,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await lockOrganization(trx, organizationId))) return false;
    const member = await findMembership(trx, { organizationId, userId });
    return member !== undefined && removeMemberInTransaction(deps, trx, { member, actor });
  });

/** Imports memberships. */
export const importMembers = (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  const table = createTableImporter(deps.db, importedMembers);
  return importBatch(
    deps,
    {
      ...table,
      endsRefused: true,
      plan: async (given) => plan(deps, given, batch),
      remove: async (keys) => {
        const removed = new Set<string>();
        const untouched = await table.untouched(keys, batch);
        for (const member of await listMembersByIds(deps.db, [...untouched]))
          if (await expel(deps, member)) removed.add(member.id);
        await forgetImported(deps.db, { source: batch.source, model: batch.model, keys });
        return removed;
      },
    },
    batch,
  );
};
