import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isTokenPage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { createOneTimeToken } from "./one-time-token.ts";

type ReturnToApplication = typeof operations.identity.returnToApplication;
type Needs = ResolveSessionNeeds & Pick<Deps, "newId">;

/**
 * Returns what the application learns: a token for the caller's session, or why there is none. An impersonation gives none, because
 * the admin acts as the user in this browser only.
 */
const outcomeOf = async (
  deps: Needs,
  { caller }: Call<ReturnToApplication>,
  origin: string,
): Promise<[name: "one_time_token" | "error", value: string]> => {
  const { sessionToken } = caller;
  const found = await resolveSession(deps, caller, { disableRefresh: true });
  if (!found || sessionToken === undefined) return ["error", "unauthorized"];
  const { userId, impersonatedBy } = found.session;
  if (impersonatedBy) return ["error", "forbidden"];
  return ["one_time_token", await createOneTimeToken(deps, { sessionToken, userId, origin })];
};

/** Leads the browser back to a page of an application of another site. Replaces what the address says about the outcome. */
export const returnToApplication = async (
  deps: Needs,
  call: Call<ReturnToApplication>,
): Promise<Answer<OperationReply<ReturnToApplication>>> => {
  const { callbackURL } = call.query;
  const { callbackURLs } = deps.config.oneTimeToken;
  if (!isTokenPage(callbackURLs, callbackURL)) throw new WireError("INVALID_CALLBACKURL");
  const target = new URL(callbackURL);
  const [name, value] = await outcomeOf(deps, call, target.origin);
  for (const one of ["one_time_token", "error"]) target.searchParams.delete(one);
  target.searchParams.set(name, value);
  return { redirect: target.href };
};
