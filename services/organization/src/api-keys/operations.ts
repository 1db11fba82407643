import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import type { Deps, Handler } from "../deps.ts";
import { findMembershipWithPolicy } from "../access/own-membership.ts";
import { listOwnerIds } from "../rows/members.ts";
import { listOrganizationSummaries } from "../rows/organizations.ts";
import { allows, rulesFor } from "../roles/role-rules.ts";
import { isSecondFactorInForce } from "../access/require-second-factor.ts";
import { findStoredSession } from "../access/with-authentication.ts";

type AuthorizeMember = typeof operations.organization.authorizeMember;
type Verdict = OperationReply<AuthorizeMember>["verdict"];
type Needs = Pick<Deps, "clock" | "config" | "db" | "identity">;

/**
 * Returns whether a session has passed a second factor. Identity decides, because the caller may know the session from a cookie only. The
 * calling service decides for an API key.
 */
const hasPassedSecondFactor = async (
  deps: Needs,
  caller: Caller,
  { sessionToken, keyHasSecondFactor = false }: Call<AuthorizeMember>["body"],
): Promise<boolean> => {
  if (sessionToken === undefined) return keyHasSecondFactor;
  const session = await findStoredSession(deps, { ...caller, sessionToken });
  if (!session) throw new WireError("UNAUTHORIZED");
  return Boolean(session.authentication?.secondFactorAt);
};

const judge = async (deps: Needs, { body, caller }: Call<AuthorizeMember>): Promise<Verdict> => {
  const { userId, organizationId, resource, action } = body;
  const member = await findMembershipWithPolicy(deps.db, { which: organizationId, userId });
  if (!member) return "not a member";
  if (isSecondFactorInForce(deps, member) && !(await hasPassedSecondFactor(deps, caller, body)))
    return "second factor required";
  return allows(await rulesFor(deps, member), member.role, [resource, action])
    ? "allowed"
    : "forbidden";
};

/** Returns whether a user may act in an organization. An unknown organization is answered like one without this member. */
export const authorizeMember: Handler<"authorizeMember"> = async (deps, call) => ({
  reply: { verdict: await judge(deps, call) },
});

/** Returns the existing organizations among some ids. */
export const findKeyOrganizations: Handler<"findKeyOrganizations"> = async (
  { db },
  { body: { ids } },
) => ({
  reply: { organizations: await listOrganizationSummaries(db, ids) },
});

/** Returns the owners of an organization, so that the apikey service can compare their permissions with those of an admin. */
export const listKeyOrganizationOwners: Handler<"listKeyOrganizationOwners"> = async (
  { config, db },
  { body: { organizationId } },
) => {
  const { creatorRole } = config.organization;
  const [organization] = await listOrganizationSummaries(db, [organizationId]);
  const userIds = organization && (await listOwnerIds(db, { organizationId, creatorRole }));
  return { reply: { userIds: userIds ?? null } };
};
