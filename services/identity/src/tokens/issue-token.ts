import type { Caller, Options, TokenSubject } from "@latchkey/contracts";
import type { TokenSigner } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { spanSeconds } from "./time-span.ts";

export interface IssuedToken {
  token: string;
  /** Between `iat` and `exp`; not above 0 where the options name a moment that has passed. */
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

/** Who we are: the base URL where one with a path is configured, else the origin that the client reached. */
const ownName = ({ baseURL }: Deps["config"], caller: Caller): string =>
  baseURL !== undefined && new URL(baseURL).pathname !== "/"
    ? baseURL.replace(/\/$/, "")
    : new URL(caller.baseUrl).origin;

/**
 * Signs a token: the user, or what `definePayload` gives, and over it `iat`, `iss`, `aud`, `exp` and `sub`. Rejects when
 * a function of the options does, or gives what no token can carry.
 */
export const issueToken = async (
  deps: Pick<Deps, "clock" | "config">,
  { user, session }: TokenSubject,
  { signer, caller }: { signer: TokenSigner; caller: Caller },
): Promise<IssuedToken> => {
  const options = deps.config.jwt.jwt;
  // Copies: a function that edits what it is given edits no answer.
  const subject = { user: { ...user }, session: { ...session } };
  const payload = await payloadOf(options, subject);
  const sub = await subjectOf(options, subject);
  const own = ownName(deps.config, caller);
  const { issuer: iss = own, audience: aud = own } = options;
  const iat = Math.floor(deps.clock() / 1000);
  const exp = expiryOf(options, iat);
  return {
    token: signer.sign({ ...payload, iat, iss, aud, exp, sub }),
    lifetimeSeconds: exp - iat,
  };
};
