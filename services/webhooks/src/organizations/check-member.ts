import {
  applicationEvents,
  applicationEventTypes,
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

type Needs = Pick<Deps, "organization">;

/** The caller of an operation of a member. */
interface Acting {
  caller: Caller;
  session: Pick<ResolvedSession, "user">;
}

/** Asks the organization service, which decides at each call. Rejects if it is unavailable. */
const authorize = async (
  { organization }: Needs,
  { caller, session }: Acting,
  asked: { organizationId: string; resource: string; action: string },
): Promise<Verdict> => {
  const { requestId, sessionToken } = caller;
  if (sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const body = { ...asked, userId: session.user.id, sessionToken };
  const { authorizeMember } = operations.organization;
  return (await organization.call(authorizeMember, { body }, { requestId })).verdict;
};

/**
 * Checks that the caller may act on the webhooks of an organization. A member who leaves loses access immediately. Also refuses for an unknown
 * organization.
 */
export const checkMember = async (
  deps: Needs,
  acting: Acting,
  { organizationId, action }: { organizationId: string; action: WebhookAction },
): Promise<void> => {
  const verdict = await authorize(deps, acting, { organizationId, resource: "webhook", action });
  if (verdict !== "allowed") throw new WireError(errors[verdict]);
};

const showsKeys = (type: string): boolean =>
  applicationEventTypes.some((one) => one === type && applicationEvents[one].service === "apikey");

/**
 * Returns a check of types of events, where none stand for all. It refuses those of API keys to a member whose role may not read the keys of
 * the organization. Members may see everything else that the events tell.
 */
export const findMemberReach = async (
  deps: Needs,
  acting: Acting,
  organizationId: string,
): Promise<(types: readonly string[]) => void> => {
  const asked = { organizationId, resource: "apiKey", action: "read" };
  const mayReadKeys = (await authorize(deps, acting, asked)) === "allowed";
  return (types) => {
    if (!mayReadKeys && (types.length === 0 || types.some(showsKeys)))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");
  };
};
