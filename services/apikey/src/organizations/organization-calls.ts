import {
  type Caller,
  type ErrorCode,
  type OperationReply,
  operations,
  type OrganizationSummary,
  WireError,
} from "@latchkey/contracts";
import { type Call, requireStrongSession } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";

/** An action on keys that a role of an organization may permit. */
export type KeyAction = "create" | "read" | "update" | "delete";

export type CheckMemberNeeds = Pick<Deps, "clock" | "config" | "organization">;

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
  { organization }: Pick<CheckMemberNeeds, "organization">,
  { caller, session }: ActingMember,
  { organizationId, action }: { organizationId: string; action: KeyAction },
): Promise<Verdict> => {
  const { apiKeyId, apiKeyHasSecondFactor = false, requestId, sessionToken } = caller;
  if (apiKeyId === undefined && sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const body = {
    userId: session.user.id,
    organizationId,
    resource: "apiKey",
    action,
    ...(apiKeyId === undefined ? { sessionToken } : { keyHasSecondFactor: apiKeyHasSecondFactor }),
  };
  const { authorizeMember } = operations.organization;
  return (await organization.call(authorizeMember, { body }, { requestId })).verdict;
};

/**
 * Checks that the caller may act on the keys of an organization. The organization service decides at each call, so that a member who leaves
 * loses access immediately. Creating and changing keys requires a strong session, too. Rejects if that service is unavailable. Throws
 * `INSUFFICIENT_API_KEY_PERMISSIONS`, `TWO_FACTOR_REQUIRED`, `SESSION_IS_NOT_FRESH`, and `stranger` to callers who are not members, also for
 * an unknown organization.
 */
export const checkMember = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  asked: { organizationId: string; action: KeyAction; stranger?: ErrorCode },
): Promise<void> => {
  const verdict = await authorize(deps, acting, asked);
  if (verdict !== "allowed") {
    const { stranger = errors["not a member"] } = asked;
    throw new WireError(verdict === "not a member" ? stranger : errors[verdict]);
  }
  const { clock, config } = deps;
  if (asked.action === "create" || asked.action === "update")
    requireStrongSession(acting.session, {
      now: clock(),
      freshAgeSeconds: config.freshAgeSeconds,
    });
};

type Asked = Parameters<typeof checkMember>[2];

/**
 * Checks again, once a key is written, that the caller may still write it. A member who was removed since the first check gets no key that
 * the remaining members did not see in the list after the removal. Otherwise undoes the write, and throws the error of `checkMember`.
 */
export const confirmMember = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  { asked, undo }: { asked: readonly Asked[]; undo: () => Promise<void> },
): Promise<void> => {
  try {
    for (const each of asked) await checkMember(deps, acting, each);
  } catch (error) {
    await undo();
    throw error;
  }
};

/** Returns the existing organizations among some ids, by at most one call. Rejects if the organization service is unavailable. */
export const findOrganizations = async (
  { organization }: Pick<Deps, "organization">,
  { requestId }: Pick<Caller, "requestId">,
  given: readonly string[],
): Promise<Map<string, OrganizationSummary>> => {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const body = { ids };
  const { findKeyOrganizations } = operations.organization;
  const { organizations } = await organization.call(findKeyOrganizations, { body }, { requestId });
  return new Map(organizations.map((found) => [found.id, found]));
};

/** Returns the ids of an organization's owners. Throws `ORGANIZATION_NOT_FOUND`. Rejects if the organization service is unavailable. */
export const listOrganizationOwners = async (
  { organization }: Pick<Deps, "organization">,
  { requestId }: Pick<Caller, "requestId">,
  organizationId: string,
): Promise<string[]> => {
  const body = { organizationId };
  const { listKeyOrganizationOwners } = operations.organization;
  const { userIds } = await organization.call(listKeyOrganizationOwners, { body }, { requestId });
  if (!userIds) throw new WireError("ORGANIZATION_NOT_FOUND");
  return userIds;
};
