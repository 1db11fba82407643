import { createHash } from "node:crypto";
import type { Answer } from "./provider-call.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { ProviderClient } from "./provider-client.ts";

/** Normalises a token response that separates scopes by commas. */
export const splitScopes = ({ scope, ...answer }: Answer): Answer => ({
  ...answer,
  scope: typeof scope === "string" ? scope.split(",") : scope,
});

/** Returns the scopes to request: default, configured and requested ones, each once. */
export const scopesOf = (
  { definition, provider: { options } }: ProviderClient,
  requested: readonly string[] = [],
): string[] => {
  const byDefault = options.disableDefaultScope ? [] : definition.scopes;
  const further = definition.requestedScopesFirst
    ? [...requested, ...options.scope]
    : [...options.scope, ...requested];
  return [...new Set([...byDefault, ...further])];
};

/** Returns whether the id token is expected to contain the request's nonce. */
export const expectsNonce = (definition: ProviderDefinition, scopes: readonly string[]): boolean =>
  definition.issuer !== undefined &&
  (definition.nonce === "always" || (definition.nonce === true && scopes.includes("openid")));

/** Inputs of an authorization URL. */
export interface AuthorizationRequest {
  state: string;
  codeVerifier: string;
  nonce: string;
  redirectUri: string;
  scopes: readonly string[];
  loginHint?: string | undefined;
  /** Further parameters that the client requests. */
  additionalParams?: Readonly<Record<string, string>> | undefined;
}

/** Parameters that a client cannot set, because the security of the flow depends on them. */
const ours = new Set([
  "response_type",
  "response_mode",
  "client_id",
  "appid",
  "client_key",
  "client_secret",
  "state",
  "redirect_uri",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "request",
  "request_uri",
]);

const allowed = (params: AuthorizationRequest["additionalParams"] = {}) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !ours.has(name.toLowerCase())));

const promptOf = ({ definition, provider }: ProviderClient): string | undefined => {
  if (!definition.prompt) return undefined;
  const byDefault = definition.prompt === true ? undefined : definition.prompt;
  return (provider.options.prompt ?? byDefault)?.replace("+", " ");
};

const furtherOf = (
  { authorizationParameters: further }: ProviderDefinition,
  scopes: readonly string[],
) => (typeof further === "function" ? further(scopes) : further);

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/** Returns the authorization URL at the provider (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core 3.1.2.1). */
export const authorizationUrl = (client: ProviderClient, request: AuthorizationRequest): string => {
  const { definition, provider } = client;
  const { options } = provider;
  const separator = definition.scopeSeparator ?? " ";
  const parameters: Record<string, string | undefined> = {
    login_hint: definition.loginHint ? request.loginHint : undefined,
    prompt: promptOf(client),
    ...furtherOf(definition, request.scopes),
    response_type: "code",
    response_mode: options.responseMode ?? definition.responseMode,
    [definition.clientNames?.id ?? "client_id"]: provider.clientIds[0],
    state: request.state,
    redirect_uri: request.redirectUri,
    scope: request.scopes.length > 0 ? request.scopes.join(separator) : undefined,
    nonce: expectsNonce(definition, request.scopes) ? request.nonce : undefined,
    ...(definition.pkce
      ? { code_challenge_method: "S256", code_challenge: challengeOf(request.codeVerifier) }
      : {}),
  };
  const url = new URL(definition.endpoints.authorization);
  const wanted = Object.entries(allowed(request.additionalParams));
  // The client's parameters are set first, so that they cannot override ours.
  for (const [name, value] of [...wanted, ...Object.entries(parameters)])
    if (value !== undefined) url.searchParams.set(name, value);
  url.hash = definition.authorizationFragment ?? "";
  // Some providers do not decode a plus as a space.
  url.search = url.search.replaceAll("+", "%20");
  return url.href;
};
