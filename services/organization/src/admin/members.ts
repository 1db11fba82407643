import { type AdditionalValues, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import { readScopedList, searchTerm } from "@latchkey/service-kit/lists";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  beginMembership,
  changeMemberFields,
  endMembership,
  giveRole,
  keepOwner,
} from "../members/change-members.ts";
import { searchMembers } from "../members/list/search.ts";
import { findMemberById, listOwners, type MemberRow, showMember } from "../rows/members.ts";
import { listTeamIds } from "../rows/team-members.ts";
import { findOrganizationById } from "../rows/organizations.ts";
import { isOwner, readRoles, requireRoles, rulesFor } from "../roles/role-rules.ts";
import { forgetOrganization } from "../sessions/active-organization.ts";
import { findUsers, orUserNotFound, withUsers } from "../users/users.ts";
import { adminMemberList } from "./queries.ts";
import { reachOrganization } from "./reach.ts";

/** Adds the teams of members, if teams are on. */
const withTeams = async <One extends { id: string }>(
  { config, db }: Pick<Deps, "config" | "db">,
  members: readonly One[],
): Promise<(One & { teamIds?: string[] })[]> => {
  if (!config.organization.teams.enabled) return [...members];
  const teamIds = await listTeamIds(
    db,
    members.map(({ id }) => id),
  );
  return members.map((member) => ({ ...member, teamIds: teamIds.get(member.id) ?? [] }));
};

/**
 * Returns a page of the members of any organization, in the order of joining, without deleted users. A search matches a part of the name or
 * address. Among more than a thousand members it matches a whole address or an id. Throws `ORGANIZATION_NOT_FOUND`, and `VALIDATION_ERROR`
 * for invalid limits and cursors.
 */
export const adminListOrganizationMembers: Handler<"adminListOrganizationMembers"> = async (
  deps,
  { params: { id: organizationId }, query, caller },
) => {
  const { searchValue, ...range } = query;
  const term = searchTerm(searchValue);
  if (term) {
    const search = searchMembers(deps, { ...range, organizationId, term, caller });
    const [reply, organization] = await Promise.all([
      search,
      findOrganizationById(deps.db, organizationId),
    ]);
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    return { reply: { ...reply, members: await withTeams(deps, reply.members) } };
  }
  const list = await readScopedList(deps.db, adminMemberList, { ...range, organizationId });
  if (!list) throw new WireError("ORGANIZATION_NOT_FOUND");
  const { rows, ...page } = list;
  const members = rows.map((row) => showMember(deps, row));
  return {
    reply: { members: await withTeams(deps, await withUsers(deps, members)), ...page },
  };
};

/** Reads additional fields of a member, which an admin may set whatever the options say about clients. */
const readFields = ({ fields }: Pick<Deps, "fields">, values: AdditionalValues) =>
  fields.member.read({ values, mode: "update", isTrusted: true });

/** Checks that roles exist, in a transaction that has locked the organization. Throws `VALIDATION_ERROR`. */
const checkRoles = async (
  deps: Pick<Deps, "config">,
  trx: Transaction<Tables>,
  named: { organizationId: string; role: string },
): Promise<void> => requireRoles(await rulesFor({ ...deps, db: trx }, named), named.role);

/**
 * Makes a user a member with any roles, even if the organization has no owner. Throws `USER_NOT_FOUND`, `ORGANIZATION_NOT_FOUND`,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION` and `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`.
 */
export const adminAddMember: Handler<"adminAddMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const role = readRoles(deps.config.organization, body.role);
  const [user] = await findUsers(deps, caller, { ids: [body.userId] });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, {
    operation: "adminAddMember",
    userId: body.userId,
  });
  const id = await deps.newId("member");
  const extra = {
    ...(await deps.fields.member.defaults()),
    ...(await readFields(deps, body.data ?? {})),
  };
  const member = await change(async (trx, organization) => {
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    await checkRoles(deps, trx, { organizationId, role });
    const createdAt = new Date(deps.clock());
    const row = { id, organizationId, userId: user.id, role, teamId: null, createdAt, extra };
    return beginMembership(deps, trx, { member: row, actor: sessionActor(session), caller });
  }).catch(orUserNotFound);
  return { reply: showMember(deps, member) };
};

/** Changes the additional fields of a member. Throws `MEMBER_NOT_FOUND` and the errors of additional fields. */
export const adminUpdateMember: Handler<"adminUpdateMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const change = await reachOrganization(deps, call, {
    operation: "adminUpdateMember",
    memberId: body.memberId,
  });
  const extra = await readFields(deps, body.data);
  const place = { organizationId: params.id, id: body.memberId };
  const changed = await change((trx) =>
    changeMemberFields(deps, trx, { ...place, extra, actor: sessionActor(session), caller }),
  );
  return { reply: showMember(deps, changed) };
};

/**
 * Sets a member's roles, also an owner's. Throws `MEMBER_NOT_FOUND`, and `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner
 * would remain.
 */
export const adminSetMemberRole: Handler<"adminSetMemberRole"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const role = readRoles(deps.config.organization, body.role);
  const change = await reachOrganization(deps, call, {
    operation: "adminSetMemberRole",
    memberId: body.memberId,
  });
  const changed = await change(async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    await checkRoles(deps, trx, { organizationId, role });
    return giveRole(deps, trx, { member, role, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps, changed) };
};

/**
 * Gives a member the creator role, and the present owners another role if one is named. The new owner is written first, under the lock of
 * the organization, so that it has an owner at every moment. Throws `MEMBER_NOT_FOUND`.
 */
export const adminTransferOwnership: Handler<"adminTransferOwnership"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { organization } = deps.config;
  const { creatorRole } = organization;
  const previousRole =
    body.previousOwnerRole === undefined
      ? undefined
      : readRoles(organization, body.previousOwnerRole);
  const change = await reachOrganization(deps, call, {
    operation: "adminTransferOwnership",
    memberId: body.memberId,
  });
  const by = { actor: sessionActor(session), caller };
  const { owner, previous } = await change(async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    if (previousRole !== undefined)
      await checkRoles(deps, trx, { organizationId, role: previousRole });
    const owners = await listOwners(trx, { organizationId, creatorRole });
    const owner = isOwner(organization, member.role)
      ? member
      : await giveRole(deps, trx, { member, role: creatorRole, ...by });
    const previous: MemberRow[] = [];
    if (previousRole !== undefined)
      for (const former of owners.filter(({ id }) => id !== owner.id))
        previous.push(await giveRole(deps, trx, { member: former, role: previousRole, ...by }));
    return { owner, previous };
  });
  const show = (row: MemberRow) => showMember(deps, row);
  return { reply: { member: show(owner), previousOwners: previous.map(show) } };
};

/**
 * Ends a membership, also an owner's. Removes the organization from the user's sessions. Throws `MEMBER_NOT_FOUND`, and
 * `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const adminRemoveMember: Handler<"adminRemoveMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, {
    operation: "adminRemoveMember",
    memberId: body.memberId,
  });
  const removed = await change(async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    await keepOwner(trx, deps.config, member);
    await endMembership(deps, trx, { member, actor: sessionActor(session), caller });
    return member;
  });
  deps.wakeRelay();
  const userIds = [removed.userId];
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds });
  return { reply: showMember(deps, removed), ...changed };
};
