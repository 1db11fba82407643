import { checkUrl } from "../http/check-options.ts";
import { fetchJson } from "../http/fetch-json.ts";
import { isObject } from "../is-object.ts";
import type { LatchkeySettings } from "../latchkey-options.ts";
import { readHeaders, type RequestLike } from "../requests/request-headers.ts";
import type { KeySet } from "../tokens/key-set.ts";
import { isJwt, verifyToken } from "../tokens/verify-token.ts";

export interface ResourceOptions {
  /** The identifier of the API, as Latchkey's `oauthProvider.resources` has it. It is also its public URL. */
  resource: string | URL;
  /** The scopes that the metadata offers to clients, and that `authorize` requires by default. */
  scopes?: readonly string[] | undefined;
  /** Shown to users by clients. */
  name?: string | undefined;
  /** The issuer, if Latchkey's public URL is not the `url` of the client. */
  issuer?: string | undefined;
  /** A client of Latchkey that has the resource. Needed for opaque tokens, and for `live`. */
  client?: { id: string; secret: string } | undefined;
}

export interface AuthorizeOptions {
  /** All of these are required. Default: the scopes of the resource. */
  scopes?: readonly string[] | undefined;
  /** Asks Latchkey whether the sign-in still stands, also for a JWT, which otherwise stays valid for up to ten minutes. */
  live?: boolean | undefined;
  /** One of these is required, such as `urn:latchkey:aal2` for a second factor (RFC 9470). */
  acrValues?: readonly string[] | undefined;
  /** The user must have signed in this recently (RFC 9470). */
  maxAgeSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A verified access token. */
export interface AccessToken {
  /** The user, or the client itself if it acts for nobody. */
  subject: string;
  clientId: string;
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Everything that the token, or the introspection, says. */
  claims: Readonly<Record<string, unknown>>;
}

/** A response to send instead of the protected one. */
export interface RefusedAccess {
  ok: false;
  status: 400 | 401 | 403;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  error: string | undefined;
}

export type Access = { ok: true; token: AccessToken } | RefusedAccess;

/** The protected resource metadata (RFC 9728). */
export interface ResourceMetadata {
  resource: string;
  authorization_servers: readonly string[];
  bearer_methods_supported: readonly ["header"];
  scopes_supported: readonly string[];
  resource_name?: string;
}

export interface ProtectedResource {
  /** Serve it as JSON at `metadataPath`, to everybody. */
  metadata: ResourceMetadata;
  /** The path below the origin of the resource, such as `/.well-known/oauth-protected-resource/mcp`. */
  metadataPath: string;
  /**
   * Returns the access token of a request, or the response that refuses it and leads clients to sign in. Rejects with a `LatchkeyError` if
   * Latchkey gives no answer: respond with 503.
   */
  authorize(request: RequestLike, options?: AuthorizeOptions): Promise<Access>;
}

interface Needs {
  settings: LatchkeySettings;
  keys: KeySet;
}

const wellKnown = "/.well-known/oauth-protected-resource";
const secondMilliseconds = 1_000;

/** Returns the identifier as it was written, because tokens and clients compare it as text. */
const checkResource = (resource: string | URL): { identifier: string; url: URL } => {
  checkUrl(resource, "resource");
  return { identifier: String(resource), url: new URL(resource) };
};

const texts = (value: unknown): string[] =>
  typeof value === "string" ? value.split(" ").filter(Boolean) : [];

const readClaims = (claims: Readonly<Record<string, unknown>>): AccessToken | undefined => {
  const { sub, client_id: clientId, exp, scope } = claims;
  if (typeof clientId !== "string" || typeof exp !== "number") return undefined;
  const subject = typeof sub === "string" ? sub : clientId;
  return {
    subject,
    clientId,
    scopes: texts(scope),
    expiresAt: exp * secondMilliseconds,
    claims,
  };
};

/** Asks Latchkey about a token. Returns undefined if it is not active, or is for another resource. */
const introspect = async (
  token: string,
  context: { options: ResourceOptions; needs: Needs; signal: AbortSignal | undefined },
): Promise<AccessToken | undefined> => {
  const { options, needs, signal } = context;
  const { url, timeoutMilliseconds, fetch } = needs.settings;
  const { client } = options;
  if (!client) throw new TypeError("client: set its id and secret to introspect tokens");
  const credentials = [client.id, client.secret].map(encodeURIComponent).join(":");
  const { body } = await fetchJson({
    address: `${url}/oauth2/introspect`,
    headers: { accept: "application/json", authorization: `Basic ${btoa(credentials)}` },
    form: { token },
    timeoutMilliseconds,
    signal,
    fetch,
  });
  if (!isObject(body) || body["active"] !== true) return undefined;
  return [body["aud"]].flat().includes(String(options.resource)) ? readClaims(body) : undefined;
};

/** Verifies a JWT by the published keys, as RFC 9068 section 4 says. */
const verifyJwt = async (
  token: string,
  { options, needs }: { options: ResourceOptions; needs: Needs },
): Promise<AccessToken | undefined> => {
  const { rules, clock, url } = needs.settings;
  const verified = await verifyToken(token, {
    keys: needs.keys,
    rules: {
      issuers: [options.issuer ?? url],
      audiences: [String(options.resource)],
      type: "at+jwt",
      clockToleranceSeconds: rules.clockToleranceSeconds,
    },
    now: clock(),
  });
  return verified.ok ? readClaims(verified.claims) : undefined;
};

const quote = (text: string): string => `"${text.replaceAll(/["\\\r\n]/g, "")}"`;

/** Returns whether the user signed in as the API asks (RFC 9470). */
const isSatisfied = (
  { claims }: AccessToken,
  { acrValues, maxAgeSeconds }: AuthorizeOptions,
  now: number,
): boolean => {
  const { acr, auth_time: authTime } = claims;
  if (acrValues && !acrValues.some((value) => value === acr)) return false;
  if (maxAgeSeconds === undefined) return true;
  return typeof authTime === "number" && now / secondMilliseconds - authTime <= maxAgeSeconds;
};

const bearer = /^bearer +(\S+)$/i;

/** Creates the protection of an API. Throws `TypeError` for invalid options. */
export const protectResource = (options: ResourceOptions, needs: Needs): ProtectedResource => {
  const { identifier, url } = checkResource(options.resource);
  const { scopes: ownScopes = [], name } = options;
  const metadataPath = wellKnown + (url.pathname === "/" ? "" : url.pathname);
  const metadataUrl = url.origin + metadataPath;

  const refuse = (
    status: RefusedAccess["status"],
    error: string | undefined,
    more: Readonly<Record<string, string>> = {},
  ): RefusedAccess => {
    const members = { ...(error && { error }), ...more, resource_metadata: metadataUrl };
    const challenge = Object.entries(members).map(([key, text]) => `${key}=${quote(text)}`);
    return {
      ok: false,
      status,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-store",
        "www-authenticate": `Bearer ${challenge.join(", ")}`,
      },
      body: JSON.stringify({ error: error ?? "unauthorized" }),
      error,
    };
  };

  const authorize = async (
    request: RequestLike,
    { scopes = ownScopes, live = false, signal, ...signIn }: AuthorizeOptions = {},
  ): Promise<Access> => {
    signal?.throwIfAborted();
    const sent = bearer.exec(readHeaders(request)("authorization") ?? "")?.[1];
    const scope: Record<string, string> = scopes.length > 0 ? { scope: scopes.join(" ") } : {};
    if (sent === undefined) return refuse(401, undefined, scope);
    const context = { options, needs, signal };
    const isLocal = isJwt(sent) && !live;
    // An opaque token cannot be ours if this API has no way to verify one.
    const canVerify = isLocal || live || options.client !== undefined;
    const token = !canVerify
      ? undefined
      : await (isLocal ? verifyJwt(sent, context) : introspect(sent, context));
    // A token that is bound to a key is worth nothing without the proof (RFC 9449 section 7.2).
    if (!token || token.claims["cnf"] !== undefined) return refuse(401, "invalid_token", scope);
    if (!scopes.every((one) => token.scopes.includes(one)))
      return refuse(403, "insufficient_scope", scope);
    if (isSatisfied(token, signIn, needs.settings.clock())) return { ok: true, token };
    const { acrValues, maxAgeSeconds } = signIn;
    return refuse(401, "insufficient_user_authentication", {
      ...(acrValues && { acr_values: acrValues.join(" ") }),
      ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
    });
  };

  return {
    metadata: {
      resource: identifier,
      authorization_servers: [options.issuer ?? needs.settings.url],
      bearer_methods_supported: ["header"],
      scopes_supported: ownScopes,
      ...(name !== undefined && { resource_name: name }),
    },
    metadataPath,
    authorize,
  };
};
