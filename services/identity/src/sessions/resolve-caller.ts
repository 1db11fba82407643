import type { Caller } from "@latchkey/contracts";
import { type ResolvedSession, type ResolveOptions, vouchedSession } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";

/** Returns the caller's session: the one of an API key, for which the gateway vouches, or that of the session token. */
export const resolveCaller = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  options: ResolveOptions,
): Promise<ResolvedSession | undefined> =>
  caller.apiKeyId === undefined
    ? resolveSession(deps, caller, options)
    : vouchedSession(caller, deps.config.additionalFields);
