import type { OauthResource } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type ResourceServer,
} from "oidc-provider";
import { readMetadata, scopeNames } from "./client-metadata.ts";
import {
  claimsOf,
  createAccounts,
  createGrant,
  findGrantOf,
  type GrantReads,
  lives,
  refreshSecondsMax,
} from "./grants.ts";
import { describeSignIn } from "./resources.ts";
import type { SigningKey } from "../signing-keys/signing-keys.ts";
import {
  createAdapter,
  interactionSeconds,
  presentWork,
  type Reads,
  silentConsent,
} from "./work.ts";

/** The look-ups on which access tokens of resources depend. */
interface ResourceReads {
  /** Whether a client gets tokens only for its own resources. */
  enforcePerClientResources: boolean;
  findResource: (identifier: string) => Promise<OauthResource | undefined>;
}

/** Returns the resource of a request, if its client may have tokens for it. Throws `InvalidTarget`. */
const createResourceServers =
  ({ enforcePerClientResources, findResource }: ResourceReads) =>
  async (
    _context: KoaContextWithOIDC,
    identifier: string,
    client: { clientId: string },
  ): Promise<ResourceServer> => {
    const resource = await findResource(identifier);
    const row = presentWork().clients.get(client.clientId);
    const isGiven =
      !enforcePerClientResources ||
      scopeNames(row?.resources).includes(resource?.identifier ?? "") ||
      (resource?.registeredClients === true && row?.origin !== "admin");
    if (!resource || !isGiven) throw new errors.InvalidTarget();
    return {
      scope: resource.scopes.join(" "),
      audience: resource.identifier,
      accessTokenTTL: resource.accessTokenExpiresIn,
      accessTokenFormat: resource.accessTokenFormat,
      // RFC 9068 section 2.1 asks every resource to support it.
      jwt: { sign: { alg: "RS256" } },
    };
  };

export interface Lifetimes {
  accessTokenExpiresIn: number;
  m2mAccessTokenExpiresIn: number;
  idTokenExpiresIn: number;
  refreshTokenExpiresIn: number;
  codeExpiresIn: number;
  deviceCodeExpiresIn: number;
}

export interface EngineOptions extends Reads, Lifetimes, GrantReads, ResourceReads {
  issuer: string;
  scopes: readonly string[];
  /** Private JWKs, each with `kid`, `alg` and `use`. The first one of each algorithm signs. */
  keys: readonly SigningKey[];
  /** Returns the address of the page on which the user answers an interaction. */
  pageOf: (interaction: {
    id: string;
    prompt: string;
    params: Record<string, unknown>;
    isSignedIn: boolean;
  }) => string;
}

type ExtraParamValidator = (context: KoaContextWithOIDC) => void;

const createPolicy = () => {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  const consent = policy.get("consent");
  if (!consent) throw new TypeError("the provider has no consent prompt");
  consent.checks.remove("consent_prompt");
  consent.checks.add(
    new Check(
      "consent_prompt",
      "consent prompt was not resolved",
      "consent_required",
      ({ oidc }) => oidc.promptPending("consent") && !oidc.prompts.has(silentConsent),
    ),
  );
  for (const name of ["create", "select_account"])
    policy.add(new Prompt({ name, requestable: true }), 0);
  const silent = new Prompt({ name: silentConsent, requestable: true });
  silent.checks.clear();
  policy.add(silent);
  return policy;
};

/** Runs for each authorization request. One without a scope is refused (RFC 6749 section 3.3), because no scope must not mean all. */
const checkRequest: ExtraParamValidator = ({ oidc: { params, client, resourceServers = {} } }) => {
  // Codes never travel in fragments, which pages of the client could read.
  if (params?.["response_mode"] === "fragment")
    throw new errors.InvalidRequest("unsupported response_mode requested");
  const scope = params?.["scope"];
  if (typeof scope !== "string") throw new errors.InvalidScope("scope is required", "");
  const ofResources = Object.values(resourceServers).flatMap((one) => scopeNames(one.scope));
  const allowed = new Set([...scopeNames(client?.scope), ...ofResources]);
  const foreign = scopeNames(scope).filter((name) => !allowed.has(name));
  if (foreign.length > 0)
    throw new errors.InvalidScope("requested scope is not allowed", foreign.join(" "));
};

/** A token belongs to the client that got it. */
const isOwn = (client: { clientId: string }, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId;

/** A token is shown to the client that got it, and to the one of the API for which it is. */
const maySee = (
  client: { clientId: string },
  token: { clientId?: string | undefined; aud?: unknown },
): boolean => {
  const resources = scopeNames(presentWork().clients.get(client.clientId)?.resources);
  const isItsResource = typeof token.aud === "string" && resources.includes(token.aud);
  return isOwn(client, token) || isItsResource;
};

const isFapi = (client: { clientId: string } | undefined): boolean => {
  const row = presentWork().clients.get(client?.clientId ?? "");
  return row !== undefined && readMetadata(row.metadata).profile === "fapi2";
};

const featuresOf = (options: EngineOptions): NonNullable<Configuration["features"]> => ({
  devInteractions: { enabled: false },
  // The account web has the page for users, so that the provider's own is never reached.
  deviceFlow: { enabled: true },
  dPoP: { enabled: true },
  fapi: {
    enabled: true,
    profile: (_context, client) => (isFapi(client) ? "2.0" : undefined),
  },
  clientCredentials: { enabled: true },
  claimsParameter: { enabled: true },
  introspection: {
    enabled: true,
    allowedPolicy: async (_context, client, token) =>
      maySee(client, token) &&
      client.clientAuthMethod !== "none" &&
      (token.kind === "ClientCredentials" ||
        Boolean(await lives(options, await findGrantOf(options, token.grantId)))),
  },
  pushedAuthorizationRequests: { enabled: true },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => [],
    getResourceServerInfo: createResourceServers(options),
  },
  revocation: { enabled: true, allowedPolicy: (_context, client, token) => isOwn(client, token) },
  rpInitiatedLogout: { enabled: false },
});

const lifetimesOf = (options: EngineOptions): NonNullable<Configuration["ttl"]> => ({
  AccessToken: (_context, { resourceServer }) =>
    resourceServer?.accessTokenTTL ?? options.accessTokenExpiresIn,
  AuthorizationCode: options.codeExpiresIn,
  ClientCredentials: (_context, { resourceServer }) =>
    resourceServer?.accessTokenTTL ?? options.m2mAccessTokenExpiresIn,
  DeviceCode: options.deviceCodeExpiresIn,
  Grant: refreshSecondsMax,
  IdToken: options.idTokenExpiresIn,
  Interaction: interactionSeconds,
  RefreshToken: (_context, token) => {
    const { iiat } = token as { iiat?: number };
    const now = Math.floor(options.clock() / 1_000);
    const remaining = (iiat ?? now) + refreshSecondsMax - now;
    return Math.max(1, Math.min(options.refreshTokenExpiresIn, remaining));
  },
  Session: 3_600,
});

const routes = {
  authorization: "/oauth2/authorize",
  code_verification: "/device",
  device_authorization: "/device/code",
  introspection: "/oauth2/introspect",
  jwks: "/oauth2/jwks",
  pushed_authorization_request: "/oauth2/par",
  revocation: "/oauth2/revoke",
  token: "/oauth2/token",
  userinfo: "/oauth2/userinfo",
};

/** Returns the configuration of the provider. */
export const configure = (options: EngineOptions): Configuration => ({
  adapter: createAdapter(options),
  acrValues: ["urn:latchkey:aal1", "urn:latchkey:aal2"],
  claims: { ...claimsOf },
  scopes: [...new Set(["openid", "offline_access", ...options.scopes])],
  clientAuthMethods: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
  clientBasedCORS: () => true,
  cookies: { names: { session: "session", interaction: "interaction", resume: "resume" } },
  enabledJWA: {
    idTokenSigningAlgValues: ["RS256", "ES256", "EdDSA"],
    clientAuthSigningAlgValues: ["RS256", "PS256", "ES256", "EdDSA"],
    dPoPSigningAlgValues: ["ES256", "EdDSA"],
  },
  expiresWithSession: () => false, // a grant names its session
  extraParams: { latchkey_request: checkRequest },
  features: featuresOf(options),
  findAccount: createAccounts(options),
  formats: { customizers: { jwt: describeSignIn } },
  interactions: {
    policy: createPolicy(),
    url: (_context, { uid, prompt: { name }, params, session }) =>
      options.pageOf({
        id: uid,
        prompt: name,
        params: { ...params },
        isSignedIn: session !== undefined,
      }),
  },
  // With `openid`, `offline_access` decides (OpenID Connect Core section 11). Without, the registered grant type does.
  issueRefreshToken: async (_context, client, { scopes: granted }) =>
    client.grantTypeAllowed("refresh_token") &&
    (granted.has("offline_access") || !granted.has("openid")),
  jwks: { keys: [...options.keys] as never },
  loadExistingGrant: createGrant(options),
  pkce: {
    required: (_context, client) =>
      client.clientAuthMethod === "none" ||
      presentWork().clients.get(client.clientId)?.requirePkce !== false,
  },
  renderError: (context, out) => {
    const { error, error_description } = out;
    presentWork().page = { error, ...(error_description !== undefined && { error_description }) };
    context.body = { error, error_description };
  },
  responseTypes: ["code"],
  // Nothing but the end of its grant tells that a JWT was revoked.
  revokeGrantPolicy: ({ oidc }) =>
    oidc.route !== "revocation" ||
    !oidc.entities.AccessToken ||
    oidc.entities.AccessToken.aud !== undefined,
  rotateRefreshToken: true,
  routes,
  subjectTypes: ["public"],
  ttl: lifetimesOf(options),
});

/** Returns whether a secret is one of the client's, each of which is stored as a hash. */
export const matchesSecret = (clientId: string, secret: string): boolean => {
  const hash = hashToken(secret);
  const { clients, usesBasic } = presentWork();
  const client = clients.get(clientId);
  // The provider takes both methods for one. A client has only the one that it registered.
  if (!client) return false;
  const { token_endpoint_auth_method: method } = readMetadata(client.metadata);
  if (usesBasic !== (method === "client_secret_basic")) return false;
  // Hashes of random secrets: how long the comparison takes reveals nothing of use.
  return client.secretHashes.some((stored) => stored.equals(hash));
};
