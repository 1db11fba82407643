import type { Caller } from "@latchkey/contracts";
import { type ResolvedSession, vouchedSession } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";

/** The session that a caller is in: the one that an API key stands for, as the gateway vouches for it, or that of their token. */
export const resolveCaller = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  options: { disableRefresh: boolean },
): Promise<ResolvedSession | undefined> =>
  caller.apiKeyId === undefined
    ? resolveSession(deps, caller, options)
    : vouchedSession(caller, deps.config.additionalFields);
