import type { Caller } from "@latchkey/contracts";
import type { TokenSigner } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { type IssuedToken, issueToken } from "./issue-token.ts";
import type { TokenSource } from "./token-memo.ts";

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
  const known = deps.signingKeys.memo.recall(session.id, madeFrom, deps.clock());
  return known ?? issueAndRemember(deps, found, { ...by, madeFrom });
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
