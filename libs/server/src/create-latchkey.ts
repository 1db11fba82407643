import { createVerifier, type VerifyRequest } from "./api-keys/create-verifier.ts";
import type { Verification } from "./api-keys/verification.ts";
import { fetchJson } from "./http/fetch-json.ts";
import { isObject } from "./is-object.ts";
import { LatchkeyError } from "./latchkey-error.ts";
import {
  checkLatchkeyOptions,
  type LatchkeyOptions,
  type LatchkeySettings,
} from "./latchkey-options.ts";
import { ownCookies } from "./requests/own-cookies.ts";
import {
  protectResource,
  type ProtectedResource,
  type ResourceOptions,
} from "./resources/protect-resource.ts";
import { readHeaders, type RequestLike } from "./requests/request-headers.ts";
import { fetchSession, type FetchSessionOptions, signedOut } from "./sessions/fetch-session.ts";
import type {
  AdditionalFields,
  LiveSession,
  SessionResult,
  SignedOut,
} from "./sessions/session.ts";
import { createKeySet, type KeySet } from "./tokens/key-set.ts";
import type { TokenVerification } from "./tokens/token-claims.ts";
import { isJwt, verifyToken } from "./tokens/verify-token.ts";

export interface GetSessionOptions extends FetchSessionOptions {
  /** Refuses signed tokens, which stay valid after a ban or a sign-out. Use it before what must not happen then. */
  live?: boolean | undefined;
}

/** A client of one Latchkey. Create it once per process, because it caches the published keys. */
export interface Latchkey<Fields extends AdditionalFields = AdditionalFields> {
  /**
   * Returns who sent a request. A signed token in `Authorization: Bearer` is verified without a call, and decides alone. Otherwise the
   * session cookies, or the bearer token of a session, are sent to Latchkey. A request with none of them causes no call.
   *
   * Rejects with a `LatchkeyError` if Latchkey gives no answer: respond with 503, because the user may be signed in. Rejects with the
   * reason of `signal` if that aborts.
   */
  getSession(
    request: RequestLike,
    options: GetSessionOptions & { live: true },
  ): Promise<LiveSession<Fields> | SignedOut>;
  getSession(request: RequestLike, options?: GetSessionOptions): Promise<SessionResult<Fields>>;
  /** Verifies a signed token by the published keys. Rejects with a `LatchkeyError` if they cannot be fetched. */
  verifyToken(token: string): Promise<TokenVerification>;
  /**
   * Verifies an API key for the requested permissions, and counts one use. Every failure of the service is part of the result. Rejects
   * with `TypeError` without the option `apiKeys`, or with the reason of `signal`.
   */
  verifyApiKey(key: string, request?: VerifyRequest): Promise<Verification>;
  /**
   * Protects an API, or a server of the Model Context Protocol, by access tokens of OAuth 2.1. Its tokens are verified by the keys of the
   * provider, or by introspection. Throws `TypeError` for invalid options.
   */
  protectResource(options: ResourceOptions): ProtectedResource;
}

const bearer = /^bearer +(\S+)$/i;

const isKeyList = (keys: unknown): keys is Record<string, unknown>[] =>
  Array.isArray(keys) && keys.every(isObject);

/** Creates the cache of the keys that are published at a path. */
const createPublishedKeys = (settings: LatchkeySettings, path: string): KeySet => {
  const { url, keysMaxAgeMilliseconds, timeoutMilliseconds, fetch, clock } = settings;
  const request = {
    address: `${url}${path}`,
    headers: { accept: "application/json" },
    timeoutMilliseconds,
    signal: undefined,
    fetch,
  };
  return createKeySet({
    maxAgeMilliseconds: keysMaxAgeMilliseconds,
    clock,
    fetchKeys: async () => {
      const { body } = await fetchJson(request);
      const { keys } = (body ?? {}) as { keys?: unknown };
      if (isKeyList(keys)) return keys;
      const message = "The answer of Latchkey is not a JWKS: check the URL";
      throw new LatchkeyError("unexpected-response", message, { status: 200 });
    },
  });
};

/**
 * Creates a client. `Fields` has the types of the additional fields of users and sessions. Throws `TypeError` for invalid options; its
 * message holds no secret.
 */
export const createLatchkey = <Fields extends AdditionalFields = AdditionalFields>(
  options: LatchkeyOptions,
): Latchkey<Fields> => {
  const settings = checkLatchkeyOptions(options);
  const { timeoutMilliseconds, fetch } = options;
  const verifier =
    options.apiKeys && createVerifier({ ...options.apiKeys, timeoutMilliseconds, fetch });
  const keys = createPublishedKeys(settings, "/jwks");
  const oauthKeys = createPublishedKeys(settings, "/oauth2/jwks");
  const verify = (token: string) =>
    verifyToken(token, { keys, rules: settings.rules, now: settings.clock() });

  const getSession = async (
    request: RequestLike,
    { live = false, ...fetching }: GetSessionOptions = {},
  ): Promise<SessionResult<Fields>> => {
    fetching.signal?.throwIfAborted();
    const header = readHeaders(request);
    const token = bearer.exec(header("authorization") ?? "")?.[1];
    if (token !== undefined && isJwt(token)) {
      if (live) return signedOut("not-live");
      const verified = await verify(token);
      if (!verified.ok) return signedOut(verified.reason);
      const { claims } = verified;
      const nothing = { user: null, session: null, setCookies: [] };
      return { isSignedIn: true, source: "token", userId: claims.sub, claims, ...nothing };
    }
    const cookie = ownCookies(header("cookie"), settings.cookies);
    // Other schemes, such as that of a staging site's password, are not sent on.
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    if (cookie === undefined && authorization === undefined) return signedOut(null);
    return fetchSession<Fields>(settings, { cookie, authorization }, fetching);
  };

  return {
    // The implementation of both overloads: `live` excludes the results of tokens.
    getSession: getSession as Latchkey<Fields>["getSession"],
    verifyToken: verify,
    verifyApiKey: async (key, request) => {
      if (!verifier) throw new TypeError("apiKeys: set its url and token to verify API keys");
      return verifier.verify(key, request);
    },
    protectResource: (resource) => protectResource(resource, { settings, keys: oauthKeys }),
  };
};
