import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isUnavailable } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession } from "./resolve-session.ts";

type GetSession = typeof operations.identity.getSession;

/**
 * The caller's session and user, or null. A token that opens nothing is taken from the browser; having shown none
 * changes nothing.
 */
export const getSession = async (
  deps: Pick<Deps, "clock" | "config" | "sessions">,
  { caller, query }: Call<GetSession>,
): Promise<Answer<OperationReply<GetSession>>> => {
  if (caller.sessionToken === undefined) return { reply: null };
  try {
    const found = await resolveSession(deps, caller, {
      disableRefresh: query.disableRefresh ?? false,
    });
    if (!found) return { reply: null, effect: { kind: "clear" } };
    return { reply: { session: found.session, user: found.user }, effect: found.effect };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new WireError("FAILED_TO_GET_SESSION", { status: 500, cause: error });
  }
};
