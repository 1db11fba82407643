import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { auditedFields, type FieldValues } from "@latchkey/service-kit/fields";
import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelVoidInvitations } from "./withdraw-invitations.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { isOwner, requireRoles, rulesFor } from "../roles/role-rules.ts";
import { joinTeams } from "../rows/team-members.ts";
import { checkTeams, readTeamLimits, type TeamLimits } from "../teams/change-teams.ts";
import { orUserNotFound } from "../users/users.ts";
import {
  countMembers,
  deleteMember,
  findMemberById,
  findMembership,
  hasAnotherOwner,
  hasDeparted,
  insertMember,
  lockMemberships,
  type MemberRow,
  updateMemberFields,
  updateRole,
} from "../rows/members.ts";

type By = Pick<AuditEntry, "actor" | "caller">;

/** The new member, whose row names the first of their teams. */
interface NewMember {
  member: MemberRow;
  /** The other teams of the member. */
  moreTeamIds?: readonly string[];
  teamLimits?: TeamLimits;
}

const unlimited: TeamLimits = new Map();

/** Checks that the teams of a new member exist and have room. A present member is refused for that instead. */
const checkTeamsOf = async (
  { config }: Pick<Deps, "config">,
  trx: Transaction<Tables>,
  { member, moreTeamIds = [], teamLimits: limits = unlimited }: NewMember,
): Promise<void> => {
  const { organizationId, teamId } = member;
  if (teamId === null || (await findMembership(trx, member))) return;
  if (!config.organization.teams.enabled) throw new WireError("TEAMS_ARE_NOT_ENABLED");
  await checkTeams(trx, { organizationId, teamIds: [teamId, ...moreTeamIds], limits });
};

/**
 * Makes a user a member, in a transaction that has locked the user's memberships and the organization. Throws `UNAUTHORIZED` if the user is
 * deleted, `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `TEAMS_ARE_NOT_ENABLED`, `TEAM_NOT_FOUND`, `TEAM_MEMBER_LIMIT_REACHED` and
 * `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`.
 */
export const beginMembership = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { actor, caller, ...added }: By & NewMember,
): Promise<MemberRow> => {
  const { member, moreTeamIds: teamIds = [] } = added;
  const { id, organizationId, userId, role, createdAt } = member;
  if (await hasDeparted(trx, userId)) throw new WireError("UNAUTHORIZED");
  const isFull =
    (await countMembers(trx, organizationId)) >= deps.config.organization.membershipLimit;
  // A full organization is reported before a full team.
  await checkTeamsOf(deps, trx, { ...added, ...(isFull && { teamLimits: unlimited }) });
  if (!(await insertMember(trx, member)))
    throw new WireError("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
  if (isFull) throw new WireError("ORGANIZATION_MEMBERSHIP_LIMIT_REACHED");
  await joinTeams(trx, { organizationId, memberId: id, teamIds, createdAt });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.added",
    ...(caller ? { caller } : {}),
    after: { id, userId, role },
  });
  return member;
};

/** The new member and the organization. */
interface Enrolment extends By {
  organizationId: string;
  userId: string;
  role: string;
  teamId?: string | undefined;
  /** The additional fields of the member. */
  extra: FieldValues;
}

/** Makes a user a member without an invitation. Throws `ORGANIZATION_NOT_FOUND`, `USER_NOT_FOUND` and the errors of `beginMembership`. */
export const addMemberBy = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newId">,
  { organizationId, userId, role, teamId, extra, ...by }: Enrolment,
): Promise<MemberRow> => {
  const hasTeam = teamId && deps.config.organization.teams.enabled;
  const teamIds = hasTeam ? [teamId] : [];
  const teamLimits = await readTeamLimits(deps, teamIds, { organizationId, session: null });
  const id = await deps.newId("member");
  return deps.db
    .transaction()
    .execute(async (trx) => {
      await lockMemberships(trx, userId);
      if (!(await lockOrganization(trx, organizationId)))
        throw new WireError("ORGANIZATION_NOT_FOUND");
      requireRoles(await rulesFor({ ...deps, db: trx }, { organizationId, role }), role);
      const createdAt = new Date(deps.clock());
      const place = { id, organizationId, userId, role, teamId: teamId || null };
      const member = { ...place, createdAt, extra };
      return beginMembership(deps, trx, { member, teamLimits, ...by });
    })
    .catch(orUserNotFound);
};

/**
 * Returns whether a member is the only owner. Must run in a transaction that has locked the organization, so that the answer holds until
 * the transaction ends.
 */
export const isLastOwner = async (
  trx: Transaction<Tables>,
  { organization }: Pick<OrganizationConfig, "organization">,
  { id: memberId, organizationId, role }: MemberRow,
): Promise<boolean> => {
  const { creatorRole } = organization;
  if (!isOwner(organization, role)) return false;
  return !(await hasAnotherOwner(trx, { organizationId, memberId, creatorRole }));
};

/**
 * Refuses to take the owner's role from the only owner. Must run in a transaction that has locked the organization, so that one of two
 * owners who leave at once stays.
 */
export const keepOwner = async (
  trx: Transaction<Tables>,
  config: Pick<OrganizationConfig, "organization">,
  member: MemberRow,
): Promise<void> => {
  if (await isLastOwner(trx, config, member))
    throw new WireError("YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER");
};

/**
 * Sets a member's roles, in a transaction that has locked the organization. Cancels the pending invitations that the new roles do not
 * allow. Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const giveRole = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { member, role, actor, caller }: { member: MemberRow; role: string } & By,
): Promise<MemberRow> => {
  const { id, organizationId, userId } = member;
  if (!isOwner(deps.config.organization, role)) await keepOwner(trx, deps.config, member);
  const changed = await updateRole(trx, { organizationId, id, role });
  if (!changed) throw new WireError("MEMBER_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.role-changed",
    ...(caller ? { caller } : {}),
    before: { id, userId, role: member.role },
    after: { id, userId, role },
  });
  await cancelVoidInvitations(deps, trx, {
    member,
    roleLeft: role,
    actor,
    ...(caller ? { caller } : {}),
  });
  return changed;
};

/**
 * Changes additional fields of a member, in a transaction that has locked the organization. Throws `MEMBER_NOT_FOUND`, also for a member of
 * another organization.
 */
export const changeMemberFields = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  {
    organizationId,
    id,
    extra,
    ...by
  }: { organizationId: string; id: string; extra: FieldValues } & Required<By>,
): Promise<MemberRow> => {
  const member = await findMemberById(trx, { organizationId, id });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  if (Object.keys(extra).length === 0) return member;
  const changed = await updateMemberFields(trx, { id, extra });
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "organization", id: organizationId },
    action: "member.updated",
    after: { id, userId: member.userId, ...auditedFields(extra) },
  });
  return changed;
};

export type EndMembershipNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/**
 * Ends a membership and cancels the pending invitations that the user sent, in a transaction that has locked the organization. The
 * published event makes identity remove the organization from the user's sessions. Returns false if the membership had already ended.
 */
export const endMembership = async (
  deps: EndMembershipNeeds,
  trx: Transaction<Tables>,
  { member, actor, caller }: { member: MemberRow } & By,
): Promise<boolean> => {
  const { id, organizationId, userId } = member;
  const ended = await deleteMember(trx, { organizationId, id });
  if (!ended) return false;
  await appendEvent(trx, deps, { name: "member.removed", data: { organizationId, userId } });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.removed",
    ...(caller ? { caller } : {}),
    before: { id, userId, role: ended.role },
  });
  await cancelVoidInvitations(deps, trx, {
    member,
    roleLeft: undefined,
    actor,
    ...(caller ? { caller } : {}),
  });
  return true;
};
