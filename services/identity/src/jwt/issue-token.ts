import type { Caller, Options, TokenSubject } from "@latchkey/contracts";
import type { TokenSigner } from "@latchkey/crypto";
import { type ResolvedSession, showAuthentication } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { spanSeconds } from "./time-span.ts";

export interface IssuedToken {
  token: string;
  /** Seconds from `iat` to `exp`. Zero or less if the options set a time in the past. */
  lifetimeSeconds: number;
}

type TokenOptions = Options["jwt"]["jwt"];

const expiryOf = ({ expirationTime }: TokenOptions, issuedAt: number): number => {
  if (typeof expirationTime === "number") return expirationTime;
  return typeof expirationTime === "string"
    ? issuedAt + spanSeconds(expirationTime)
    : Math.floor(expirationTime.getTime() / 1000);
};

const payloadOf = async (options: TokenOptions, subject: TokenSubject): Promise<object> => {
  if (!options.definePayload) return subject.user;
  const payload: unknown = await options.definePayload(subject);
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload)) return payload;
  throw new TypeError("jwt.jwt.definePayload must give an object");
};

const subjectOf = async (options: TokenOptions, subject: TokenSubject): Promise<string> => {
  if (!options.getSubject) return subject.user.id;
  const sub: unknown = await options.getSubject(subject);
  if (typeof sub === "string") return sub;
  throw new TypeError("jwt.jwt.getSubject must give text");
};

/** Returns the issuer: the base URL if one with a path is configured, else the origin that the client called. */
const ownName = ({ baseURL }: Deps["config"], caller: Caller): string =>
  baseURL !== undefined && new URL(baseURL).pathname !== "/"
    ? baseURL.replace(/\/$/, "")
    : new URL(caller.baseUrl).origin;

/** An impersonation has its admin in the claim `act` (RFC 8693, section 4.1). Its token expires with it. */
const boundsOf = ({ impersonatedBy, expiresAt }: TokenSubject["session"], exp: number) =>
  impersonatedBy
    ? { exp: Math.min(exp, Math.floor(expiresAt.getTime() / 1000)), act: { sub: impersonatedBy } }
    : { exp };

/**
 * Signs a token: the user or the result of `definePayload`, overridden by `iat`, `iss`, `aud`, `exp` and `sub`. Rejects
 * if a function of the options does, or if it returns a value that a token cannot contain.
 */
export const issueToken = async (
  deps: Pick<Deps, "clock" | "config">,
  { user, session, authentication }: Pick<ResolvedSession, "authentication" | "session" | "user">,
  { signer, caller }: { signer: TokenSigner; caller: Caller },
): Promise<IssuedToken> => {
  const options = deps.config.jwt.jwt;
  // Passes copies, so that a function that edits its arguments does not change the reply.
  const subject = {
    user: { ...user },
    session: { ...session },
    ...(authentication ? { authentication: showAuthentication(authentication) } : {}),
  };
  const payload = await payloadOf(options, subject);
  const sub = await subjectOf(options, subject);
  const own = ownName(deps.config, caller);
  const { issuer: iss = own, audience: aud = own } = options;
  const iat = Math.floor(deps.clock() / 1000);
  const bounds = boundsOf(session, expiryOf(options, iat));
  return {
    token: signer.sign({ ...payload, iat, iss, aud, ...bounds, sub }),
    lifetimeSeconds: bounds.exp - iat,
  };
};
