import {
  anyRoleAllows,
  type OperationReply,
  type operations,
  splitRoles,
  WireError,
} from "@latchkey/contracts";
import { serviceActor, sessionActor } from "@latchkey/service-kit/audit";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { requestOrigin } from "../config.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  type ActingMember,
  findOwnMembership,
  type FindOwnMembershipNeeds,
} from "../access/own-membership.ts";
import { findMembership, showMember } from "../rows/members.ts";
import { allows, rulesFor } from "../roles/role-rules.ts";
import {
  chooseAsMember,
  chooseOrganizationIfPossible as choose,
  chooseOrUnauthorized,
  forgetOrganization,
  organizationOf,
  refuseStranger,
  whichOrganization,
} from "../sessions/active-organization.ts";
import { findCreator, withUsers } from "../users/users.ts";
import { announceDeletion, eraseOrganization } from "./change-organization.ts";
import {
  type CreatedOrganization,
  createOrganizationBy,
  callAfterCreate,
} from "./create-organization.ts";
import {
  findOrganizationById,
  isSlugTaken,
  listOrganizationsOf,
  lockOrganization,
  type OrganizationRow,
  showOrganization,
  showOrganizationObject,
  wholeOrganization,
} from "../rows/organizations.ts";
import { readFullOrganization } from "./read-full-organization.ts";

type CreateOrganization = typeof operations.organization.createOrganization;

const showCreated = (
  deps: Pick<Deps, "config" | "fields">,
  { organization, member }: CreatedOrganization,
): OperationReply<CreateOrganization> => ({
  ...showOrganizationObject(deps, organization),
  members: [showMember(deps, member)],
});

/** Creates an organization for the caller and makes it active in their session, unless they keep the current one. */
export const createOrganization: Handler<"createOrganization"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { user } = session;
  const actor = sessionActor(session);
  const created = await createOrganizationBy(deps, { given: body, user, caller, actor });
  const organizationId = created.organization.id;
  const { changed } = body.keepCurrentActiveOrganization
    ? { changed: {} }
    : await chooseAsMember(deps, call, {
        organizationId,
        teamId: created.member.teamId ?? undefined,
        choose,
      });
  await callAfterCreate(deps, created, { user, caller });
  return { reply: showCreated(deps, created), ...changed };
};

/** Creates an organization for a user on behalf of a service. Changes no session. */
export const createOrganizationFor: Handler<"createOrganizationFor"> = async (
  deps,
  { body, caller },
) => {
  const user = await findCreator(deps, caller, body.userId);
  const actor = serviceActor(caller);
  const created = await createOrganizationBy(deps, { given: body, user, caller, actor });
  await callAfterCreate(deps, created, { user, caller });
  return { reply: showCreated(deps, created) };
};

const requiredFields = ["name", "slug"];

/** Throws an error that names the first missing field of a new organization. */
export const checkRequiredFields = async (
  _deps: unknown,
  _caller: unknown,
  sent: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const missing = requiredFields.find((field) => sent[field] === undefined);
  if (missing) throw new WireError("FIELD_IS_REQUIRED", { message: `${missing} is required` });
};

/** Confirms that a slug is free at this moment. Throws `SLUG_IS_TAKEN`. */
export const checkSlug: Handler<"checkSlug"> = async ({ db }, { body: { slug } }) => {
  if (await isSlugTaken(db, slug)) throw new WireError("SLUG_IS_TAKEN");
  return { reply: { status: true } };
};

const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

type DeleteOrganization = typeof operations.organization.deleteOrganization;

const checkMayDelete = async (
  deps: FindOwnMembershipNeeds,
  { body, ...acting }: Call<DeleteOrganization>,
): Promise<void> => {
  const member = await findOwnMembership(deps, acting, { id: body.organizationId });
  if (!member) throw notMember();
  if (!allows(member.rules, member.role, ["organization", "delete"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION");
};

/** Returns the organization if the caller is a member who may delete it. */
const findErasable = async (
  deps: Deps,
  call: Call<DeleteOrganization>,
): Promise<OrganizationRow> => {
  await checkMayDelete(deps, call);
  const organization = await findOrganizationById(deps.db, call.body.organizationId);
  if (!organization) throw notMember(); // deleted concurrently
  return organization;
};

const erase = async (
  deps: Deps,
  call: Call<DeleteOrganization>,
): Promise<{ organization: OrganizationRow; userIds: string[] }> => {
  const { body, caller, session } = call;
  const actor = sessionActor(session);
  const erased = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, body.organizationId);
    if (!organization) throw notMember();
    await checkMayDelete({ ...deps, db: trx }, call);
    const done = await eraseOrganization(deps, trx, { organization, actor, caller });
    if (!done) throw notMember();
    return { organization, ...done };
  });
  deps.wakeRelay();
  announceDeletion(deps, caller, erased);
  return erased;
};

/**
 * Deletes an organization with all its contents. Calls the application's functions before and after, and an error from the first prevents
 * the deletion. Of several concurrent calls, one deletes. Throws `ORGANIZATION_NOT_FOUND` if none is named,
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION`, and `FORBIDDEN` if the options forbid it.
 */
export const deleteOrganization: Handler<"deleteOrganization"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { organizationId } = body;
  const { user } = session;
  const { disabled, beforeDelete, afterDelete } = deps.config.organization.organizationDeletion;
  if (!organizationId) throw new WireError("ORGANIZATION_NOT_FOUND");
  const erasable = await findErasable(deps, call);
  if (disabled) throw new WireError("FORBIDDEN");
  await beforeDelete?.({ organization: wholeOrganization(erasable), user }, requestOrigin(caller));
  const { organization, userIds } = await erase(deps, call);
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds });
  const erased = wholeOrganization(organization);
  await afterDelete?.({ organization: erased, user }, requestOrigin(caller));
  return { reply: showOrganization(deps, organization), ...changed };
};

/**
 * Makes an organization of the caller the active one of their session, and returns it without its teams. With null, the session has no
 * active organization. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, also for an unknown organization.
 */
export const setActiveOrganization: Handler<"setActiveOrganization"> = async (deps, call) => {
  const { body, caller, session } = call;
  const isUnset = !body.organizationSlug && body.organizationId === null;
  const which = whichOrganization(session, body);
  if (!which) return { reply: null };
  if (isUnset) return { reply: null, ...(await chooseOrUnauthorized(deps, caller, null)) };
  const organization =
    (await readFullOrganization(deps, which, { acting: call })) ??
    (await refuseStranger(deps, call, which));
  const [members, { holds, changed }] = await Promise.all([
    withUsers(deps, organization.members, session.user),
    chooseAsMember(deps, call, { organizationId: organization.id, choose: chooseOrUnauthorized }),
  ]);
  if (!holds) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
  return { reply: { ...organization, members, teams: null }, ...changed };
};

/**
 * Returns an organization with its contents to a member. Returns null if none is named and the session has no active one. Throws
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, also for an unknown organization.
 */
export const getFullOrganization: Handler<"getFullOrganization"> = async (
  deps,
  { query, caller, session },
) => {
  const which = whichOrganization(session, query);
  if (!which) return { reply: null };
  const organization =
    (await readFullOrganization(deps, which, {
      acting: { caller, session },
      membersLimit: query.membersLimit,
    })) ?? (await refuseStranger(deps, { caller, session }, which));
  const members = await withUsers(deps, organization.members, session.user);
  return { reply: { ...organization, members } };
};

const organizationsMax = 100;

/**
 * Returns an organization without its contents to a member. Returns null if none is named and the session has no active one. Throws
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, also for an unknown organization.
 */
export const getOrganization: Handler<"getOrganization"> = async (deps, call) => {
  const which = whichOrganization(call.session, call.query);
  if (!which) return { reply: null };
  const own = await findOwnMembership(deps, call, which);
  const organization = own && (await findOrganizationById(deps.db, own.organizationId));
  return {
    reply: showOrganization(deps, organization ?? (await refuseStranger(deps, call, which))),
  };
};

/** Returns the organizations of the caller, the oldest first, up to a hundred. */
export const listOrganizations: Handler<"listOrganizations"> = async (deps, { session }) => {
  const { id: userId } = session.user;
  const rows = await listOrganizationsOf(deps.db, { userId, limit: organizationsMax });
  return { reply: rows.map((row) => showOrganization(deps, row)) };
};

type HasMemberPermission = typeof operations.organization.hasMemberPermission;

const answerPermission = (
  member: Pick<ActingMember, "role" | "rules"> | undefined,
  asked: Pick<Call<HasMemberPermission>["body"], "permissions" | "permission" | "connector">,
): Answer<OperationReply<HasMemberPermission>> => {
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 401 });
  const { permissions = asked.permission ?? {}, connector } = asked;
  const success = anyRoleAllows(member.rules.roles, splitRoles(member.role), {
    permissions,
    connector,
  });
  return { reply: { error: null, success } };
};

/**
 * Returns whether one of the caller's roles in an organization grants all requested permissions. Throws `NO_ACTIVE_ORGANIZATION`, and
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (401), also for an unknown organization.
 */
export const hasOrganizationPermission: Handler<"hasOrganizationPermission"> = async (
  deps,
  { body, caller, session },
) => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  return answerPermission(member, body);
};

/**
 * Returns the same for any member, for services, which know no session of the member. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`
 * (401).
 */
export const hasMemberPermission: Handler<"hasMemberPermission"> = async (deps, { body }) => {
  const member = await findMembership(deps.db, body);
  return answerPermission(member && { ...member, rules: await rulesFor(deps, member) }, body);
};
