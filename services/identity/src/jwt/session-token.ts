import { type Caller, type Options, timeSpanForm, type TokenSubject } from "@latchkey/contracts";
import type { TokenSigner } from "@latchkey/crypto";
import { type ResolvedSession, showAuthentication } from "@latchkey/service-kit/http";
import type { Deps, Handler } from "../deps.ts";
import type { LiveSession } from "../sessions/session-rules.ts";
import type { TokenSource } from "./token-memo.ts";

interface IssuedToken {
  token: string;
  /** Seconds from `iat` to `exp`. Zero or less if the options set a time in the past. */
  lifetimeSeconds: number;
}

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_557_600 } as const;

/** Returns the whole seconds of a span such as `15m`, `1h` or `2 days`. Throws `TypeError` for any other text. */
export const spanSeconds = (text: string): number => {
  const [, amount, unit] = timeSpanForm.exec(text) ?? [];
  const span = Math.round(
    Number(amount) * unitSeconds[unit?.[0]?.toLowerCase() as keyof typeof unitSeconds],
  );
  if (Number.isFinite(span)) return span;
  throw new TypeError("not a span of time");
};

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

type Needs = Pick<Deps, "clock" | "config" | "signingKeys">;

/** A token is reused for at most this long, and for at most a tenth of its lifetime. */
const reuseMilliseconds = 60_000;
const reuseShare = 1 / 10;

/** Proxies and clients reject replies with longer headers. `/token` returns a token of any length. */
const headerLengthMax = 6_144;

const short = ({ token }: IssuedToken) => (token.length <= headerLengthMax ? token : undefined);

type Waiting<T> = T | Promise<T>;

interface By {
  signer: TokenSigner;
  caller: Caller;
}

const issueAndRemember = async (
  deps: Needs,
  found: LiveSession,
  { madeFrom, ...by }: By & { madeFrom: TokenSource },
): Promise<string | undefined> => {
  const now = deps.clock();
  const issued = await issueToken(deps, found, by);
  const token = short(issued);
  const reuse = Math.min(reuseMilliseconds, issued.lifetimeSeconds * 1000 * reuseShare);
  if (token !== undefined)
    deps.signingKeys.memo.remember(found.session.id, { token, madeFrom, renewAt: now + reuse });
  return token;
};

/** Returns the session's last token if it is recent and nothing has changed since, or signs a new one. */
const recallOrIssue = (deps: Needs, found: LiveSession, by: By): Waiting<string | undefined> => {
  const { session, epoch } = found;
  const { baseUrl } = by.caller;
  const madeFrom = { kid: by.signer.kid, baseUrl, updatedAt: session.updatedAt.getTime(), epoch };
  const remembered = deps.signingKeys.memo.recall(session.id, madeFrom, deps.clock());
  return remembered ?? issueAndRemember(deps, found, { ...by, madeFrom });
};

const issueAfresh = async (deps: Needs, found: LiveSession, by: By): Promise<string | undefined> =>
  short(await issueToken(deps, found, by));

/**
 * Returns the token for the header `set-auth-jwt` of a live session with its whole user. Returns undefined if the feature
 * is off, the token is too long for a header, or no key can sign, because get-session must work without a token. Rejects
 * if a function of the options does. Returns a promise only if it has to wait.
 */
export const sessionToken = (
  deps: Needs,
  found: LiveSession,
  caller: Caller,
): Waiting<string | undefined> => {
  const { enabled, jwt: options } = deps.config.jwt;
  if (!enabled) return undefined;
  const isSame = !options.definePayload && !options.getSubject; // these functions run at each call
  const give = isSame ? recallOrIssue : issueAfresh;
  const signer = deps.signingKeys.ready();
  if (signer) return give(deps, found, { signer, caller });
  return deps.signingKeys.current().then(
    (current) => give(deps, found, { signer: current, caller }),
    () => undefined, // logged by the keys
  );
};

/** Returns a new signed token of the caller's user. */
export const getToken: Handler<"getToken"> = async (deps, { caller, session }) => {
  const signer = await deps.signingKeys.current();
  const { token } = await issueToken(deps, session, { signer, caller });
  return { reply: { token } };
};
