import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import { readScopedList } from "@latchkey/service-kit/lists";
import type { Handler } from "../deps.ts";
import {
  findSecondFactorFrom,
  lockOrganization,
  updateSecondFactorFrom,
} from "../rows/organizations.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/active-organization.ts";
import {
  type Acting,
  hasPassedSecondFactor,
  refusedUntil,
} from "../access/require-second-factor.ts";
import { memberList } from "./list/queries.ts";
import { findOwnMembership, type FindOwnMembershipNeeds } from "../access/own-membership.ts";
import { showMember } from "../rows/members.ts";

type TwoFactorPolicy = OperationReply<typeof operations.organization.getTwoFactorPolicy>;

/** Returns a policy for replies. */
const showPolicy = (organizationId: string, requiredFrom: Date | null): TwoFactorPolicy => ({
  organizationId,
  required: requiredFrom !== null,
  requiredFrom,
});

/** Returns the organization that a request names, or the active one. Throws `NO_ACTIVE_ORGANIZATION`. */
const requireOrganization = ({ session }: Acting, named: string | undefined): string => {
  const organizationId = organizationOf(session, named);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return organizationId;
};

/**
 * Checks that the caller may manage the policy of an organization. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`,
 * `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION` and `TWO_FACTOR_REQUIRED`.
 */
const checkMayManagePolicy = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  organizationId: string,
): Promise<void> => {
  const member = await findOwnMembership(deps, acting, { id: organizationId });
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  if (!allows(member.rules, member.role, ["organization", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
};

/** Returns whether an organization requires a second factor. Throws the errors of `checkMayManagePolicy`. */
export const getTwoFactorPolicy: Handler<"getTwoFactorPolicy"> = async (deps, call) => {
  const organizationId = requireOrganization(call, call.query.organizationId);
  await checkMayManagePolicy(deps, call, organizationId);
  return { reply: showPolicy(organizationId, await findSecondFactorFrom(deps.db, organizationId)) };
};

const dayMilliseconds = 86_400_000;

/**
 * Requires a second factor of an organization's members, at once or after some days, or stops requiring it. The caller must have passed
 * one, so that nobody locks themselves out. Throws `NO_ACTIVE_ORGANIZATION` and the errors of `checkMayManagePolicy`.
 */
export const setTwoFactorPolicy: Handler<"setTwoFactorPolicy"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { required, graceDays = 0 } = body;
  const organizationId = requireOrganization(call, body.organizationId);
  if (!hasPassedSecondFactor(call)) throw new WireError("TWO_FACTOR_REQUIRED");
  const from = required ? new Date(deps.clock() + graceDays * dayMilliseconds) : null;
  await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    await checkMayManagePolicy({ ...deps, db: trx }, call, organizationId);
    const before = await findSecondFactorFrom(trx, organizationId);
    await updateSecondFactorFrom(trx, organizationId, from);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "organization.two-factor-policy-changed",
      caller,
      before: { requiredFrom: before },
      after: { requiredFrom: from },
    });
  });
  return { reply: showPolicy(organizationId, from) };
};

/**
 * Reads a page of an organization's members, oldest first, and returns those without a second factor. Throws `NO_ACTIVE_ORGANIZATION`
 * and the errors of `checkMayManagePolicy`.
 */
export const listMembersWithoutTwoFactor: Handler<"listMembersWithoutTwoFactor"> = async (
  deps,
  call,
) => {
  const { query, session, caller } = call;
  const organizationId = requireOrganization(call, query.organizationId);
  await checkMayManagePolicy(deps, call, organizationId);
  const reader = { organizationId, session, refusedUntil: refusedUntil(deps, call) };
  const list = await readScopedList(deps.db, memberList, { ...query, ...reader });
  if (!list) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  const { rows, nextCursor } = list;
  const body = { ids: rows.map(({ userId }) => userId), withoutSecondFactor: true };
  const { requestId } = caller;
  const { users } = await deps.identity.call(
    operations.identity.findUsers,
    { body },
    { requestId },
  );
  const lacking = new Map(users.map((user) => [user.id, user]));
  const members = rows.flatMap((row) => {
    const user = lacking.get(row.userId);
    return user ? [{ ...showMember(deps, row), user }] : [];
  });
  return { reply: { members, ...(nextCursor === undefined ? {} : { nextCursor }) } };
};
