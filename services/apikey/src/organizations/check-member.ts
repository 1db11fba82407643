import { type ErrorCode, operations, type OperationReply, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** An action on keys that a role of an organization may permit. */
export type KeyAction = "create" | "read" | "update" | "delete";

export type CheckMemberNeeds = Pick<Deps, "config" | "organization">;

/** The signed-in user of a call. */
export type ActingMember = Pick<Call<typeof operations.apikey.createApiKey>, "caller" | "session">;

type Verdict = OperationReply<typeof operations.organization.authorizeMember>["verdict"];

const errors: Record<Exclude<Verdict, "allowed">, ErrorCode> = {
  forbidden: "INSUFFICIENT_API_KEY_PERMISSIONS",
  "not a member": "USER_NOT_MEMBER_OF_ORGANIZATION",
  "second factor required": "TWO_FACTOR_REQUIRED",
};

/** Whether organizations may own keys in this installation. */
export const hasOrganizationKeys = ({ config }: Pick<Deps, "config">): boolean =>
  config.apiKey.organizationKeys.enabled && config.organizationEnabled;

const authorize = async (
  { organization }: CheckMemberNeeds,
  { caller, session }: ActingMember,
  { organizationId, action }: { organizationId: string; action: KeyAction },
): Promise<Verdict> => {
  const { apiKeyId, requestId, sessionToken } = caller;
  if (apiKeyId === undefined && sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const body = {
    userId: session.user.id,
    organizationId,
    resource: "apiKey",
    action,
    ...(apiKeyId === undefined && { sessionToken }),
  };
  const { authorizeMember } = operations.organization;
  return (await organization.call(authorizeMember, { body }, { requestId })).verdict;
};

/**
 * Checks that the caller may act on the keys of an organization. The organization service decides at each call, so that a member who leaves
 * loses access immediately. Rejects if that service is unavailable. Throws `INSUFFICIENT_API_KEY_PERMISSIONS`, `TWO_FACTOR_REQUIRED`, and
 * `stranger` to callers who are not members, also for an unknown organization.
 */
export const checkMember = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  asked: { organizationId: string; action: KeyAction; stranger?: ErrorCode },
): Promise<void> => {
  const verdict = await authorize(deps, acting, asked);
  if (verdict === "allowed") return;
  const { stranger = errors["not a member"] } = asked;
  throw new WireError(verdict === "not a member" ? stranger : errors[verdict]);
};
