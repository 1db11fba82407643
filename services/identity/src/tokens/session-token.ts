import type { Caller } from "@latchkey/contracts";
import type { TokenSigner } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { type IssuedToken, issueToken } from "./issue-token.ts";
import type { TokenSource } from "./token-memo.ts";

type Needs = Pick<Deps, "clock" | "config" | "signingKeys">;

/** A token is given again for at most this long, and a tenth of its lifetime. */
const reuseMilliseconds = 60_000;
const reuseShare = 1 / 10;

/** Proxies and clients refuse answers with longer headers; `/token` gives a token of any length. */
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

/** Signs, or gives the token again that the session had a moment ago, if nothing has changed since. */
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
 * The token for the header `set-auth-jwt` of a live session, whose user is shown whole. Undefined where the feature is
 * off, the token too long for a header, or no key can sign: a session is worth more than its token. Rejects when a function
 * of the options does. A promise only where something has to be waited for.
 */
export const sessionToken = (
  deps: Needs,
  found: LiveSession,
  caller: Caller,
): Waiting<string | undefined> => {
  const { enabled, jwt: options } = deps.config.jwt;
  if (!enabled) return undefined;
  const isSame = !options.definePayload && !options.getSubject; // at each call
  const give = isSame ? recallOrIssue : issueAfresh;
  const signer = deps.signingKeys.ready();
  if (signer) return give(deps, found, { signer, caller });
  return deps.signingKeys.current().then(
    (current) => give(deps, found, { signer: current, caller }),
    () => undefined, // logged by the keys
  );
};
