import { type Caller, type UserSummary, WireError } from "@latchkey/contracts";
import { serviceActor, sessionActor } from "@latchkey/service-kit/audit";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import {
  type ListedPage,
  readScopedList,
  refuseQuery,
  searchTerm,
} from "@latchkey/service-kit/lists";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  allows,
  isOwner,
  mayGive,
  readRoles,
  requireRoles,
  rulesFor,
} from "../roles/role-rules.ts";
import {
  forgetOrganization,
  organizationOf,
  whichOrganization,
} from "../sessions/active-organization.ts";
import { type Acting, refusedUntil } from "../access/require-second-factor.ts";
import { findUsers, type MemberWithUser, withUsers } from "../users/users.ts";
import {
  addMemberBy,
  giveRole,
  keepOwner,
  endMembership,
  type EndMembershipNeeds,
} from "./change-members.ts";
import { memberList, type MemberListQuery } from "./list/queries.ts";
import { searchMembers } from "./list/search.ts";
import {
  findOwnMembership,
  type FindOwnMembershipNeeds,
  lockAsMember,
} from "../access/own-membership.ts";
import { findMemberById, findMembership, type MemberRow, showMember } from "../rows/members.ts";

/** Returns the membership of a session's user, with that user. */
const showOwnMember = (
  deps: Pick<Deps, "config" | "fields">,
  member: MemberRow,
  { user: { id, name, email, image } }: ResolvedSession,
): MemberWithUser => ({ ...showMember(deps, member), user: { id, name, email, image } });

/**
 * Returns the caller's membership in the active organization of their session. Throws `NO_ACTIVE_ORGANIZATION`, and `MEMBER_NOT_FOUND` if
 * the caller is no longer a member.
 */
export const getActiveMember: Handler<"getActiveMember"> = async (deps, { caller, session }) => {
  const organizationId = organizationOf(session, undefined);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return { reply: showOwnMember(deps, member, session) };
};

/**
 * Returns the roles of the caller, or of another member, in the named or the active organization. Throws `NO_ACTIVE_ORGANIZATION`, and
 * `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION` for the caller and for the user.
 */
export const getActiveMemberRole: Handler<"getActiveMemberRole"> = async (deps, call) => {
  const { query, session } = call;
  const which = whichOrganization(session, query);
  if (!which) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const own = await findOwnMembership(deps, call, which);
  const { userId = session.user.id } = query;
  const member =
    own && userId !== own.userId
      ? await findMembership(deps.db, { organizationId: own.organizationId, userId })
      : own;
  if (!member) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
  return { reply: { role: member.role } };
};

/** Reads a page, or says why the caller may not. */
const readOwnMembers = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  query: MemberListQuery,
): Promise<ListedPage<MemberRow>> => {
  const { session } = acting;
  const reader = { session, refusedUntil: refusedUntil(deps, acting) };
  const list = await readScopedList(deps.db, memberList, { ...query, ...reader });
  if (list) return list;
  const which = whichOrganization(session, query);
  if (which) await findOwnMembership(deps, acting, which); // throws if it lacks the second factor
  throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
};

/** Searches the caller's organization by a term. Throws as `readOwnMembers`. */
const searchOwnMembers = async (
  deps: Pick<Deps, "config" | "fields" | "identity" | "lookUpUsers"> & FindOwnMembershipNeeds,
  acting: Acting,
  { term, ...query }: MemberListQuery & { term: string },
) => {
  const which = whichOrganization(acting.session, query);
  if (!which) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const own = await findOwnMembership(deps, acting, which);
  if (!own) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
  const { organizationId } = own;
  return searchMembers(deps, { ...query, organizationId, term, caller: acting.caller });
};

/**
 * Returns a page of the members of the caller's organization and the number of matches, oldest first by default. Leaves out deleted users.
 * Throws `NO_ACTIVE_ORGANIZATION`, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, and `VALIDATION_ERROR` for invalid limits, cursors and
 * filters.
 */
export const listMembers: Handler<"listMembers"> = async (deps, { query, caller, session }) => {
  const term = searchTerm(query.searchValue);
  if (term) {
    const isOrdered = query.sortBy === undefined || query.sortBy === "createdAt";
    if (!isOrdered) refuseQuery("sortBy", "must be createdAt in a search");
    if (query.filterField) refuseQuery("filterField", "cannot be used in a search");
    return { reply: await searchOwnMembers(deps, { caller, session }, { ...query, term }) };
  }
  const list = await readOwnMembers(deps, { caller, session }, query);
  const { rows, ...page } = list;
  const members = rows.map((row) => showMember(deps, row));
  return { reply: { members: await withUsers(deps, members, session.user), ...page } };
};

/**
 * Makes a user a member on behalf of a service. Throws `NO_ACTIVE_ORGANIZATION` if the request names no organization, `USER_NOT_FOUND` and
 * the errors of `addMemberBy`.
 */
export const addMember: Handler<"addMember"> = async (deps, { body, caller }) => {
  const { userId, organizationId, teamId } = body;
  const role = readRoles(deps.config.organization, body.role);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const [user] = await findUsers(deps, caller, { ids: [userId] });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const extra = await deps.fields.member.read({ values: body, mode: "create", isTrusted: true });
  const member = await addMemberBy(deps, {
    organizationId,
    userId,
    role,
    teamId,
    extra,
    actor: serviceActor(caller),
    caller,
  });
  return { reply: showMember(deps, member) };
};

/**
 * Sets a member's roles, also the caller's own. A caller may change only members whose permissions it has, and give only permissions that
 * it has. Only an owner may give or take the owner's role. Throws `NO_ACTIVE_ORGANIZATION`, `MEMBER_NOT_FOUND` and
 * `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER`. Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const updateMemberRole: Handler<"updateMemberRole"> = async (
  deps,
  { body, caller, session },
) => {
  const role = readRoles(deps.config.organization, body.role);
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const changed = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId });
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    const roles = [own.role, member.role, role].join(",");
    const rules = await rulesFor({ ...deps, db: trx }, { organizationId, role: roles });
    const isAllowed =
      allows(rules, own.role, ["member", "update"]) &&
      [member.role, role].every((each) => mayGive(rules, own.role, each));
    if (!isAllowed) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
    requireRoles(rules, role);
    return giveRole(deps, trx, { member, role, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps, changed) };
};

/** Identifies the membership to end, by the member's id or the user's. */
type Target = { id: string } | { userId: string };

/** The membership to end and the caller who ends it. */
interface Removal {
  organizationId: string;
  target: Target;
  caller: Caller;
  session: ResolvedSession;
}

const findTarget = (
  trx: Transaction<Tables>,
  { organizationId, target }: Removal,
): Promise<MemberRow | undefined> =>
  "id" in target
    ? findMemberById(trx, { organizationId, id: target.id })
    : findMembership(trx, { organizationId, userId: target.userId });

/**
 * Ends a membership on behalf of a member whose roles allow it. Throws `MEMBER_NOT_FOUND` and `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER`.
 * Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` for the last owner, and for any owner if the caller is not an owner.
 */
export const removeMemberBy = async (
  deps: EndMembershipNeeds & Pick<Deps, "config" | "db" | "wakeRelay">,
  removal: Removal,
): Promise<MemberRow> => {
  const { organizationId, caller, session } = removal;
  const { organization } = deps.config;
  const ended = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId });
    const member = await findTarget(trx, removal);
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    if (isOwner(organization, member.role) && !isOwner(organization, own.role))
      throw new WireError("YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER");
    await keepOwner(trx, deps.config, member);
    const roles = `${own.role},${member.role}`;
    const rules = await rulesFor({ ...deps, db: trx }, { organizationId, role: roles });
    const isAllowed =
      allows(rules, own.role, ["member", "delete"]) && mayGive(rules, own.role, member.role);
    if (!isAllowed)
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER", { status: 401 });
    await endMembership(deps, trx, { member, actor: sessionActor(session), caller });
    return member;
  });
  deps.wakeRelay();
  return ended;
};

interface Named {
  organizationId: string;
  memberIdOrEmail: string;
}

/** The placeholder for a member whose user is deleted. */
const nobody = (id: string): UserSummary => ({ id, name: "", email: "", image: null });

/** Looks up the user before the removal. Otherwise a completed removal could fail to reply because identity is unavailable. */
const findNamed = async (
  deps: Pick<Deps, "db" | "identity">,
  caller: Caller,
  { organizationId, memberIdOrEmail }: Named,
): Promise<{ target: Target; user: UserSummary }> => {
  if (memberIdOrEmail.includes("@")) {
    const [user] = await findUsers(deps, caller, { emails: [memberIdOrEmail] });
    if (!user) throw new WireError("MEMBER_NOT_FOUND");
    return { target: { userId: user.id }, user };
  }
  const member = await findMemberById(deps.db, { organizationId, id: memberIdOrEmail });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  const { id, userId } = member;
  const [user = nobody(userId)] = await findUsers(deps, caller, { ids: [userId] });
  return { target: { id }, user };
};

/**
 * Removes a member, by id or by email address, from the organization. Their sessions no longer have it as active. Throws
 * `NO_ACTIVE_ORGANIZATION` and the errors of `removeMemberBy`.
 */
export const removeMember: Handler<"removeMember"> = async (deps, { body, caller, session }) => {
  const { memberIdOrEmail } = body;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  if (!(await findOwnMembership(deps, { caller, session }, { id: organizationId })))
    throw new WireError("MEMBER_NOT_FOUND");
  const { target, user } = await findNamed(deps, caller, { organizationId, memberIdOrEmail });
  const member = await removeMemberBy(deps, { organizationId, target, caller, session });
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds: [user.id] });
  return { reply: { member: { ...showMember(deps, member), user } }, ...changed };
};

/**
 * Ends the caller's membership in an organization. Throws `MEMBER_NOT_FOUND`, and `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if
 * no owner would remain.
 */
export const leaveOrganization: Handler<"leaveOrganization"> = async (
  deps,
  { body: { organizationId }, caller, session },
) => {
  const userId = session.user.id;
  const member = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, leaves: true });
    await keepOwner(trx, deps.config, own);
    await endMembership(deps, trx, {
      member: own,
      actor: sessionActor(session),
      caller,
    });
    return own;
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds: [userId] });
  return { reply: showOwnMember(deps, member, session), ...changed };
};
