import type { Caller, OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, settledTogether, showAuthentication } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";

type ResolveSession = typeof operations.identity.resolveSession;
type ResolveSessions = typeof operations.identity.resolveSessions;
type Resolved = OperationReply<ResolveSession>;

const resolve = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  token: string,
): Promise<Resolved> => {
  const asked = { ...caller, sessionToken: token };
  const found = await resolveSession(deps, asked, { disableRefresh: true });
  return found
    ? {
        session: found.session,
        user: found.user,
        authentication: showAuthentication(found.authentication),
      }
    : null;
};

/** Returns session and user of a token that another service received, or null. Does not extend the session. */
export const resolveToken = async (
  deps: ResolveSessionNeeds,
  { caller, body }: Call<ResolveSession>,
): Promise<Answer<Resolved>> => ({ reply: await resolve(deps, caller, body.token) });

/** The same for the tokens of concurrent requests. */
export const resolveTokens = async (
  deps: ResolveSessionNeeds & Pick<Deps, "resolvedJson">,
  { caller, body }: Call<ResolveSessions>,
): Promise<Answer<OperationReply<ResolveSessions>>> => {
  const jsonOf = async (token: string) => deps.resolvedJson(await resolve(deps, caller, token));
  const settled = await settledTogether(body.tokens.map(jsonOf));
  return { reply: { resolved: settled.map((json) => json ?? null) } };
};
