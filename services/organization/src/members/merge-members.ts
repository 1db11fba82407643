import { type Event, splitRoles } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { beginMerge, endMerge, recordMoved } from "@latchkey/service-kit/merges";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  findMemberById,
  findMembership,
  hasDeparted,
  insertMember,
  lockMemberships,
  type MemberRow,
} from "../rows/members.ts";
import {
  listMemberships,
  moveInvitations,
  moveMember,
  type MovedMembership,
} from "../rows/merges.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { deleteTeamMember, joinTeams, listTeamIds } from "../rows/team-members.ts";
import { endMembership, type EndMembershipNeeds, giveRole } from "./change-members.ts";

const actor = { kind: "system" } as const;

/** Locks the memberships of both users, always in the same order. */
const lockBoth = async (
  trx: Transaction<Tables>,
  { userId, mergedUserId }: Event<"user.merged">["data"],
): Promise<void> => {
  for (const id of [userId, mergedUserId].toSorted()) await lockMemberships(trx, id);
};

/**
 * Gives a membership to another user, who has none in the organization, with all or some of the pending invitations that the member sent.
 * Applications see one end and one begin. Returns the ids of the invitations.
 */
const hand = async (
  deps: EndMembershipNeeds,
  trx: Transaction<Tables>,
  { member, to, ids }: { member: MemberRow; to: string; ids?: readonly string[] },
): Promise<string[]> => {
  const { id, organizationId, userId, role } = member;
  await moveMember(trx, { id, to });
  const way = { organizationId, from: userId, to };
  const invitationIds = await moveInvitations(trx, { ...way, ...(ids ? { ids } : {}) });
  await appendEvent(trx, deps, { name: "member.removed", data: { organizationId, userId } });
  const subject = { kind: "organization", id: organizationId };
  const before = { id, userId, role };
  await appendAudit(trx, deps, { actor, subject, action: "member.removed", before });
  const after = { id, userId: to, role };
  await appendAudit(trx, deps, { actor, subject, action: "member.added", after });
  return invitationIds;
};

/** Moves one membership. A user who is a member already gets the roles and teams of both, and the other membership ends. */
const mergeMembership = async (
  deps: EndMembershipNeeds,
  trx: Transaction<Tables>,
  { member, to }: { member: MemberRow; to: string },
): Promise<MovedMembership> => {
  const { id: memberId, organizationId } = member;
  const present = await findMembership(trx, { organizationId, userId: to });
  if (!present) {
    const invitationIds = await hand(deps, trx, { member, to });
    return { kind: "handed", organizationId, memberId, invitationIds };
  }
  const role = [...new Set([...splitRoles(present.role), ...splitRoles(member.role)])].join(",");
  if (role !== present.role) await giveRole(deps, trx, { member: present, role, actor });
  const teamIds = (await listTeamIds(trx, [memberId])).get(memberId) ?? [];
  const createdAt = new Date(deps.clock());
  const joining = { organizationId, memberId: present.id, teamIds, createdAt };
  const joinedTeamIds = await joinTeams(trx, joining);
  await endMembership(deps, trx, { member, actor });
  return {
    kind: "joined",
    organizationId,
    memberId: present.id,
    role,
    formerRole: present.role,
    ended: member,
    endedTeamIds: teamIds,
    joinedTeamIds,
  };
};

/**
 * Moves the memberships of a merged user to the user who stays, in one transaction, so that the record of what moved is complete. An event
 * that is delivered again, or after its undo, changes nothing. Throws while the undo of an earlier merge of the same user is yet to arrive,
 * so that the event is delivered again after it.
 */
export const mergeMembers = async (
  deps: EndMembershipNeeds & Pick<Deps, "db" | "wakeRelay">,
  { data }: Pick<Event<"user.merged">, "data">,
): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  await deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const record = { mergeId, mergedUserId, recordedAt: new Date(deps.clock()) };
    if (!(await beginMerge(trx, record))) return;
    if (await hasDeparted(trx, userId)) return;
    const moved: MovedMembership[] = [];
    for (const member of await listMemberships(trx, mergedUserId))
      if (await lockOrganization(trx, member.organizationId))
        moved.push(await mergeMembership(deps, trx, { member, to: userId }));
    await recordMoved(trx, mergeId, moved);
  });
  deps.wakeRelay();
};

/**
 * Restores a membership that ended by a merge, without teams that were deleted since, and takes back the roles and teams that it gave. If the
 * organization has changed the roles since, only those of the ended ones that are left are restored. If it has expelled the user, nothing is.
 */
const restore = async (
  deps: EndMembershipNeeds,
  trx: Transaction<Tables>,
  moved: Extract<MovedMembership, { kind: "joined" }>,
): Promise<void> => {
  const { organizationId, memberId, role, formerRole, ended } = moved;
  const { id, userId } = ended;
  const { endedTeamIds: teamIds = ended.teamId ? [ended.teamId] : [], joinedTeamIds = [] } = moved;
  const present = await findMemberById(trx, { organizationId, id: memberId });
  if (!present) return;
  const isUnchanged = present.role === role;
  const remaining = splitRoles(present.role);
  const endedRole = isUnchanged
    ? ended.role
    : splitRoles(ended.role)
        .filter((name) => remaining.includes(name))
        .join(",");
  if (!endedRole) return;
  const createdAt = new Date(ended.createdAt);
  const member = { ...ended, role: endedRole, teamId: null, createdAt };
  if (await insertMember(trx, member)) {
    await joinTeams(trx, { organizationId, memberId: id, teamIds, createdAt });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "organization", id: organizationId },
      action: "member.added",
      after: { id, userId, role: endedRole },
    });
  }
  for (const teamId of joinedTeamIds) await deleteTeamMember(trx, { teamId, memberId });
  // Roles that somebody has changed since stay.
  if (isUnchanged && role !== formerRole)
    await giveRole(deps, trx, { member: present, role: formerRole, actor });
};

/** Moves the memberships of a merged user back. An event that is delivered again changes nothing. */
export const separateMembers = async (
  deps: EndMembershipNeeds & Pick<Deps, "db" | "wakeRelay">,
  { data }: Event<"user.merge-undone">,
): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  await deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const recordedAt = new Date(deps.clock());
    const ended = await endMerge(trx, { mergeId, mergedUserId, recordedAt });
    if (await hasDeparted(trx, mergedUserId)) return;
    const moved = (ended ?? []) as readonly MovedMembership[]; // written by `mergeMembers` alone
    for (const one of moved) {
      const { organizationId, memberId } = one;
      if (!(await lockOrganization(trx, organizationId))) continue;
      if (one.kind === "joined") {
        await restore(deps, trx, one);
        continue;
      }
      const member = await findMemberById(trx, { organizationId, id: memberId });
      const present = await findMembership(trx, { organizationId, userId: mergedUserId });
      if (member?.userId === userId && !present)
        await hand(deps, trx, { member, to: mergedUserId, ids: one.invitationIds });
    }
  });
  deps.wakeRelay();
};
