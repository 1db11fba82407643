import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import { checkReach } from "@latchkey/service-kit/http";
import { exactTotalMax, readList, readScopedList } from "@latchkey/service-kit/lists";
import type { Deps, Handler } from "../deps.ts";
import {
  announceDeletion,
  changeOrganization,
  eraseOrganization,
  orAlreadyExists,
  readChange,
} from "../organizations/change-organization.ts";
import { createOrganizationBy, callAfterCreate } from "../organizations/create-organization.ts";
import { showOrganization } from "../rows/organizations.ts";
import {
  type FullOrganization,
  readFullOrganization,
} from "../organizations/read-full-organization.ts";
import { forgetOrganization } from "../sessions/active-organization.ts";
import { listRoleRows, showRole } from "../rows/roles.ts";
import { findCreator, orUserNotFound, withUsers } from "../users/users.ts";
import { countContents, countTeams, joinedList, organizationList } from "./queries.ts";
import { reachOrganization } from "./reach.ts";

/**
 * Returns a page of organizations for admins, oldest first by default. A search matches a part of the name or slug. A term without three
 * consecutive letters or digits matches only their beginning. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListOrganizations: Handler<"adminListOrganizations"> = async (
  deps,
  { query },
) => {
  const { rows, ...page } = await readList(deps.db, organizationList, query);
  const organizations = rows.map((row) =>
    Object.assign(showOrganization(deps, row), { memberCount: row.memberCount }),
  );
  return { reply: { organizations, ...page } };
};

/**
 * Returns a page of a user's organizations, in the order of joining. The page is empty for an unknown user. Throws `VALIDATION_ERROR` for
 * invalid limits and cursors.
 */
export const adminListUserOrganizations: Handler<"adminListUserOrganizations"> = async (
  deps,
  { params: { id: userId }, query },
) => {
  const list = await readScopedList(deps.db, joinedList, { ...query, userId });
  const { rows, ...page } = list ?? { rows: [], total: 0 };
  const organizations = rows.map((row) => {
    const { memberId, role, joinedAt } = row;
    return Object.assign(showOrganization(deps, row), { memberId, role, joinedAt });
  });
  return { reply: { organizations, ...page } };
};

type AdminGetOrganization = typeof operations.organization.adminGetOrganization;

const countMax = exactTotalMax + 1;

type Teams = OperationReply<AdminGetOrganization>["teams"];

const withCounts = async (
  { db }: Pick<Deps, "db">,
  teams: FullOrganization["teams"],
): Promise<Teams> => {
  if (teams === null || teams.length === 0) return teams && [];
  const ids = teams.map(({ id }) => id);
  const counts = new Map(await countTeams(db, ids, countMax));
  return teams.map((team) => ({ ...team, memberCount: counts.get(team.id) ?? 0 }));
};

/** Returns an organization to an admin, with the first or last of its contents and their counts. Throws `ORGANIZATION_NOT_FOUND`. */
export const adminGetOrganization: Handler<"adminGetOrganization"> = async (
  deps,
  { params: { id } },
) => {
  const [organization, counts] = await Promise.all([
    readFullOrganization(deps, { id }),
    countContents(deps.db, id, countMax),
  ]);
  if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
  const hasRoles = deps.config.organization.dynamicAccessControl.enabled;
  const [members, teams, roles] = await Promise.all([
    withUsers(deps, organization.members),
    withCounts(deps, organization.teams),
    hasRoles ? listRoleRows(deps.db, id) : null,
  ]);
  const { memberCount, invitationCount, teamCount } = counts;
  return {
    reply: {
      ...organization,
      members,
      teams,
      roles: roles && roles.map(showRole),
      memberCount,
      invitationCount,
      teamCount: teams && teamCount,
    },
  };
};

/**
 * Creates an organization that a user owns, also where users may not create any. The application's functions, the limit per user and the
 * uniqueness of the slug apply. Changes no session. Throws `USER_NOT_FOUND`, `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS` and
 * `ORGANIZATION_ALREADY_EXISTS`.
 */
export const adminCreateOrganization: Handler<"adminCreateOrganization"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { userId, ...given } = body;
  const user = await findCreator(deps, caller, userId).catch(orUserNotFound);
  await checkReach(deps, call, {
    permission: operations.organization.adminCreateOrganization.permission,
    targetIds: [user.id],
  });
  const created = await createOrganizationBy(deps, {
    given,
    user,
    caller,
    actor: sessionActor(session),
    isByAdmin: true,
  }).catch(orUserNotFound);
  await callAfterCreate(deps, created, { user, caller });
  return { reply: showOrganization(deps, created.organization) };
};

/**
 * Changes the named fields of an organization. Throws `ORGANIZATION_NOT_FOUND`, and `ORGANIZATION_ALREADY_EXISTS` if another organization
 * has the slug.
 */
export const adminUpdateOrganization: Handler<"adminUpdateOrganization"> = async (deps, call) => {
  const { body, caller, session } = call;
  const change = await reachOrganization(deps, call, { operation: "adminUpdateOrganization" });
  const organizationChange = await readChange(deps, body, { isTrusted: true });
  const changed = await change(async (trx, row) => {
    if (!row) throw new WireError("ORGANIZATION_NOT_FOUND");
    const by = { actor: sessionActor(session), caller };
    return changeOrganization(deps, trx, { row, change: organizationChange, ...by });
  }).catch(orAlreadyExists);
  return { reply: showOrganization(deps, changed) };
};

/**
 * Deletes an organization with all its contents, even if its members may not delete it. Does not call the application's hooks for deletions
 * by members. Of several concurrent calls, one deletes. Throws `ORGANIZATION_NOT_FOUND`.
 */
export const adminDeleteOrganization: Handler<"adminDeleteOrganization"> = async (deps, call) => {
  const { caller, session } = call;
  const change = await reachOrganization(deps, call, {
    operation: "adminDeleteOrganization",
  });
  const actor = sessionActor(session);
  const { organization: erased, ...done } = await change(async (trx, organization) => {
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    const gone = await eraseOrganization(deps, trx, { organization, actor, caller });
    if (!gone) throw new WireError("ORGANIZATION_NOT_FOUND");
    return { organization, ...gone };
  });
  deps.wakeRelay();
  announceDeletion(deps, caller, done);
  const changed = await forgetOrganization(deps, caller, {
    organizationId: erased.id,
    userIds: done.userIds,
  });
  return { reply: showOrganization(deps, erased), ...changed };
};
