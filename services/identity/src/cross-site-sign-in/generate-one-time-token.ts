import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { applicationOrigin, createOneTimeToken } from "./one-time-token.ts";

type GenerateOneTimeToken = typeof operations.identity.generateOneTimeToken;

/** Returns the origin of a redirect target. Mobile apps have none, because any app may claim their scheme. */
const originOf = (callbackURL: string): string => {
  const origin = URL.parse(callbackURL)?.origin;
  if (origin === undefined || origin === "null") throw new WireError("INVALID_CALLBACKURL");
  return origin;
};

/** Returns a token for the caller's session. Without `callbackURL`, or with a path, only our own origin can exchange it. */
export const generateOneTimeToken = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newId" | "ring">,
  { caller, query: { callbackURL }, session }: Call<GenerateOneTimeToken>,
): Promise<Answer<OperationReply<GenerateOneTimeToken>>> => {
  const { sessionToken } = caller;
  if (sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const isOwn = callbackURL === undefined || callbackURL === "" || callbackURL.startsWith("/");
  const origin = isOwn ? applicationOrigin(caller) : originOf(callbackURL);
  const { userId } = session.session;
  return { reply: { token: await createOneTimeToken(deps, { sessionToken, userId, origin }) } };
};
