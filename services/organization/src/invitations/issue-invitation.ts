import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { FieldValues } from "@latchkey/service-kit/fields";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import { type OrganizationConfig, requestOrigin } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../access/own-membership.ts";
import {
  listMembershipsOfUsers,
  lockMemberships,
  type MemberRow,
  wholeMember,
} from "../rows/members.ts";
import {
  findOrganizationById,
  lockOrganization,
  wholeOrganization,
} from "../rows/organizations.ts";
import { requireRoles, rulesFor } from "../roles/role-rules.ts";
import { checkTeams, readTeamLimits, type TeamLimits } from "../teams/change-teams.ts";
import { checkInviter } from "./check-inviter.ts";
import { mailInvitation, type MailInvitationNeeds } from "./mail-invitation.ts";
import {
  cancelPending,
  countPending,
  hasPending,
  insertInvitation,
  type InvitationRow,
} from "../rows/invitations.ts";
import { countIssued, deleteIssued, insertIssued } from "../rows/issued-invitations.ts";

/** How long an invitation counts against the limit. */
const countedMilliseconds = 3_600_000;

/** A mail of an invitation, and the member who had it sent. */
interface IssuedMail {
  /** Unique for each mail. */
  id: string;
  inviterId: string;
  email: string;
  issuedAt: Date;
}

/**
 * Records that a user invites an address, in a transaction that has locked the inviter's memberships. The count spans all
 * organizations and outlives them, so nobody floods a mailbox by creating and deleting some. Throws `INVITATION_LIMIT_REACHED`.
 */
export const recordIssued = async (
  { organization }: Pick<OrganizationConfig, "organization">,
  trx: Transaction<Tables>,
  { id: invitationId, inviterId, email, issuedAt }: IssuedMail,
): Promise<void> => {
  const after = new Date(issuedAt.getTime() - countedMilliseconds);
  const count = await countIssued(trx, { inviterId, email, after });
  if (count >= organization.invitationsPerAddressAndHour)
    throw new WireError("INVITATION_LIMIT_REACHED");
  await insertIssued(trx, { invitationId, inviterId, email, issuedAt });
};

const batchSize = 1_000;

/** Deletes records of invitations that are too old to count. */
export const sweepIssuedInvitations = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - countedMilliseconds);
  await inBatches(batchSize, (limit) => deleteIssued(db, before, limit));
};

export type IssueInvitationNeeds = MailInvitationNeeds & Pick<Deps, "db" | "newId" | "wakeRelay">;

/** The recipient and the inviter. */
interface Invite {
  inviter: MemberRow;
  /** In lower case. */
  email: string;
  /** The users who have that address. */
  userIds: readonly string[];
  role: string;
  /** The teams that the invited person joins. */
  teamIds: readonly string[];
  /** The additional fields of the invitation. */
  extra: FieldValues;
  /** Whether to invite even if an invitation to the address is pending. */
  isRepeated: boolean;
  session: ResolvedSession;
  caller: Caller;
}

interface Limits {
  pending: number;
  teams: TeamLimits;
}

const readPendingLimit = async (
  deps: IssueInvitationNeeds,
  { inviter, session, caller }: Invite,
): Promise<number> => {
  const { config } = deps;
  const { invitationLimit } = config.organization;
  if (typeof invitationLimit !== "function") return invitationLimit;
  const organization = await findOrganizationById(deps.db, inviter.organizationId);
  if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
  const data = {
    user: session.user,
    organization: wholeOrganization(organization),
    member: wholeMember(deps, inviter),
  };
  return invitationLimit(data, requestOrigin(caller));
};

const readLimits = async (deps: IssueInvitationNeeds, invite: Invite): Promise<Limits> => {
  const { teamIds, inviter, session } = invite;
  const about = { organizationId: inviter.organizationId, session: session.session };
  return {
    pending: await readPendingLimit(deps, invite),
    teams: await readTeamLimits(deps, teamIds, about),
  };
};

/** Cancels the address's pending invitations if the options say so, or refuses to send another. */
const clearWay = async (
  { config }: IssueInvitationNeeds,
  trx: Transaction<Tables>,
  { invitation, isRepeated }: { invitation: InvitationRow; isRepeated: boolean },
): Promise<string[]> => {
  const { organizationId, email, createdAt: now } = invitation;
  const pending = { organizationId, email, now };
  if (!isRepeated && (await hasPending(trx, pending)))
    throw new WireError("USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION");
  return isRepeated && config.organization.cancelPendingInvitationsOnReInvite
    ? cancelPending(trx, pending)
    : [];
};

const write = async (
  deps: IssueInvitationNeeds,
  trx: Transaction<Tables>,
  { invitation, invite, limits }: { invitation: InvitationRow; invite: Invite; limits: Limits },
): Promise<void> => {
  const { session, caller, userIds, teamIds, isRepeated } = invite;
  const { id, organizationId, role, teamId, createdAt: now } = invitation;
  const userId = invitation.inviterId;
  await lockMemberships(trx, userId);
  const organization = await lockOrganization(trx, organizationId);
  if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
  const own = await findOwnMembership({ ...deps, db: trx }, invite, { id: organizationId });
  await checkInviter({ ...deps, db: trx }, own, role);
  requireRoles(await rulesFor({ ...deps, db: trx }, { organizationId, role }), role);
  if ((await listMembershipsOfUsers(trx, { organizationId, userIds })).length > 0)
    throw new WireError("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
  const withdrawn = await clearWay(deps, trx, { invitation, isRepeated });
  if ((await countPending(trx, { organizationId, now })) >= limits.pending)
    throw new WireError("INVITATION_LIMIT_REACHED");
  await recordIssued(deps.config, trx, { ...invitation, issuedAt: now });
  await checkTeams(trx, { organizationId, teamIds, limits: limits.teams });
  await insertInvitation(trx, invitation);
  await mailInvitation(deps, trx, {
    invitation,
    organizationName: organization.name,
    inviter: session.user,
    caller,
  });
  await appendAudit(trx, deps, {
    actor: sessionActor(session),
    subject: { kind: "organization", id: organizationId },
    action: "invitation.created",
    caller,
    ...(withdrawn.length > 0 ? { before: { withdrawn } } : {}),
    after: { id, role, teamId, ...(teamIds.length > 1 ? { teamIds } : {}) },
  });
};

/**
 * Writes an invitation and requests its mail. Under the organization's lock it checks the caller's membership, existing members and
 * invitations with that address, and the limits. A lock on the inviter protects the count of invitations per inviter and address. Throws
 * the errors of inviting.
 */
export const issueInvitation = async (
  deps: IssueInvitationNeeds,
  invite: Invite,
): Promise<InvitationRow> => {
  const { inviter, email, role, extra } = invite;
  const [teamId = null, ...moreTeamIds] = invite.teamIds;
  const limits = await readLimits(deps, invite);
  const now = deps.clock();
  const invitation: InvitationRow = {
    id: await deps.newId("invitation"),
    organizationId: inviter.organizationId,
    email,
    role,
    teamId,
    moreTeamIds,
    status: "pending",
    expiresAt: new Date(now + deps.config.organization.invitationExpiresIn * 1000),
    inviterId: inviter.userId,
    createdAt: new Date(now),
    extra,
  };
  await deps.db.transaction().execute((trx) => write(deps, trx, { invitation, invite, limits }));
  deps.wakeRelay();
  return invitation;
};
