import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMembershipWithPolicy } from "../members/find-own-membership.ts";
import { allows } from "../roles/role-rules.ts";
import { isSecondFactorInForce } from "../two-factor/require-second-factor.ts";
import { findStoredSession } from "../two-factor/with-authentication.ts";

type AuthorizeMember = typeof operations.organization.authorizeMember;
type Verdict = OperationReply<AuthorizeMember>["verdict"];
type Needs = Pick<Deps, "clock" | "config" | "db" | "identity">;

/** Returns whether a session has passed a second factor. Identity decides, because the caller may know the session from a cookie only. */
const hasPassedSecondFactor = async (deps: Needs, caller: Caller): Promise<boolean> => {
  const session = await findStoredSession(deps, caller);
  if (!session) throw new WireError("UNAUTHORIZED");
  return Boolean(session.authentication?.secondFactorAt);
};

const judge = async (deps: Needs, { body, caller }: Call<AuthorizeMember>): Promise<Verdict> => {
  const { userId, organizationId, resource, action, sessionToken } = body;
  const member = await findMembershipWithPolicy(deps.db, { which: organizationId, userId });
  if (!member) return "not a member";
  const needsSecondFactor = sessionToken !== undefined && isSecondFactorInForce(deps, member);
  if (needsSecondFactor && !(await hasPassedSecondFactor(deps, { ...caller, sessionToken })))
    return "second factor required";
  const { organization } = deps.config;
  return allows(organization, member.role, [resource, action]) ? "allowed" : "forbidden";
};

/** Returns whether a user may act in an organization. An unknown organization is answered like one without this member. */
export const authorizeMember = async (
  deps: Needs,
  call: Call<AuthorizeMember>,
): Promise<Answer<OperationReply<AuthorizeMember>>> => ({
  reply: { verdict: await judge(deps, call) },
});
