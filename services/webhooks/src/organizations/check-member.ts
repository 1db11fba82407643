import {
  type Caller,
  type ErrorCode,
  operations,
  type OperationReply,
  WireError,
} from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** An action on webhooks that a role of an organization may permit. */
export type WebhookAction = "create" | "read" | "update" | "delete";

type Verdict = OperationReply<typeof operations.organization.authorizeMember>["verdict"];

const errors: Record<Exclude<Verdict, "allowed">, ErrorCode> = {
  forbidden: "YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION",
  "not a member": "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "second factor required": "TWO_FACTOR_REQUIRED",
};

/**
 * Checks that the caller may act on the webhooks of an organization. The organization service decides at each call, so that a member who
 * leaves loses access immediately. Also refuses for an unknown organization. Rejects if that service is unavailable.
 */
export const checkMember = async (
  { organization }: Pick<Deps, "organization">,
  { caller, session }: { caller: Caller; session: Pick<ResolvedSession, "user"> },
  { organizationId, action }: { organizationId: string; action: WebhookAction },
): Promise<void> => {
  const { requestId, sessionToken } = caller;
  if (sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const userId = session.user.id;
  const body = { userId, organizationId, resource: "webhook", action, sessionToken };
  const { authorizeMember } = operations.organization;
  const { verdict } = await organization.call(authorizeMember, { body }, { requestId });
  if (verdict !== "allowed") throw new WireError(errors[verdict]);
};
