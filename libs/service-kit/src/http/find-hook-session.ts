import type { Caller, Operation } from "@latchkey/contracts";
import type { ResolvedSession, SessionRules } from "./require-session.ts";

/**
 * Returns the caller's session for the hook that runs before the checks of an operation. An operation that needs no session has none to show,
 * so that it costs no look-up.
 */
export const findHookSession = async (
  { access }: Pick<Operation, "access">,
  { resolveSession }: Pick<SessionRules, "resolveSession">,
  caller: Caller,
): Promise<ResolvedSession | undefined> =>
  access === "anyone" ? undefined : resolveSession(caller, { disableRefresh: true });
