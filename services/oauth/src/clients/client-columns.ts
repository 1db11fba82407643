import {
  type OperationInput,
  type operations,
  oauthClientMetadata,
  WireError,
} from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { isPublic, scopeNames } from "../engine/client-metadata.ts";

export type Given = OperationInput<(typeof operations.oauth)["createOauthClient"]>["body"];

export const invalid = (path: string, message: string): WireError =>
  new WireError("VALIDATION_ERROR", { issues: [{ path, message }] });

const isLoopback = ({ hostname }: URL): boolean =>
  ["127.0.0.1", "[::1]", "localhost"].includes(hostname);

/** Returns whether a redirect URI leads to a program on the user's machine. */
export const isOnThisMachine = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url !== null && url.protocol !== "https:" && (url.protocol !== "http:" || isLoopback(url));
};

/** Checks a redirect URI: absolute, without fragment and user, and not one that a browser would run. */
const checkRedirectUri = (text: string, member: string, isNative: boolean): void => {
  const refuse = (message: string) => {
    throw invalid(member, message);
  };
  const url = URL.parse(text);
  if (!url || /[\s\0]/.test(text)) return refuse("must be absolute URLs");
  if (url.hash !== "" || text.includes("#")) refuse("must have no fragment");
  if (url.username !== "" || url.password !== "") refuse("must name no user");
  if (url.protocol === "https:") return;
  if (url.protocol === "http:") {
    if (!isLoopback(url)) refuse("must be https, except on this machine");
    return;
  }
  // RFC 8252 section 7.1 asks for a reversed domain name.
  if (!isNative || !url.protocol.includes("."))
    refuse("must be https; a native client may use a scheme such as com.example.app");
};

/** Returns the metadata that the profile of a client fixes (FAPI 2.0 Security Profile section 5.3). Throws `VALIDATION_ERROR`. */
const requiredOf = ({ profile, require_pkce: requirePkce, ...given }: Given) => {
  if (profile === undefined) return {};
  if (requirePkce === false) throw invalid("require_pkce", "the profile needs PKCE");
  const { token_endpoint_auth_method: method = "private_key_jwt" } = given;
  if (method !== "private_key_jwt")
    throw invalid("token_endpoint_auth_method", "the profile needs private_key_jwt");
  return {
    profile,
    token_endpoint_auth_method: method,
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
  };
};

/** Returns the metadata of a client with the defaults of RFC 7591. */
const metadataOf = (given: Given) => {
  const metadata = { ...oauthClientMetadata.parse(given), ...requiredOf(given) };
  const { redirect_uris = [], application_type = "web" } = metadata;
  const isNative = application_type === "native";
  for (const uri of redirect_uris) checkRedirectUri(uri, "redirect_uris", isNative);
  for (const uri of metadata.post_logout_redirect_uris ?? [])
    checkRedirectUri(uri, "post_logout_redirect_uris", isNative);
  const grant_types = metadata.grant_types ?? ["authorization_code", "refresh_token"];
  const isForUsers = grant_types.includes("authorization_code");
  if (isForUsers && redirect_uris.length === 0) throw invalid("redirect_uris", "is required");
  const method = metadata.token_endpoint_auth_method ?? "client_secret_basic";
  if (method === "private_key_jwt" && !metadata.jwks)
    throw invalid("jwks", "is required for private_key_jwt");
  if (method === "none" && grant_types.includes("client_credentials"))
    throw invalid("grant_types", "a client without a secret has no client_credentials");
  return {
    ...metadata,
    redirect_uris,
    application_type,
    grant_types,
    response_types: isForUsers ? ["code"] : [],
    token_endpoint_auth_method: method,
  };
};

const checkScopes = ({ config }: Pick<Deps, "config">, { scope }: Given): string => {
  const { scopes } = config.oauthProvider;
  const named = scope === undefined ? scopes : scopeNames(scope);
  const unknown = named.find((name) => !scopes.includes(name));
  if (unknown !== undefined) throw invalid("scope", "must be configured scopes");
  return named.join(" ");
};

/** Throws `VALIDATION_ERROR` for a resource that is not configured. */
const checkResources = ({ config }: Pick<Deps, "config">, { resources = [] }: Given): string => {
  const isConfigured = (identifier: string) =>
    config.oauthProvider.resources.some((one) => one.identifier === identifier);
  if (!resources.every(isConfigured)) throw invalid("resources", "must be configured resources");
  return [...new Set(resources)].join(" ");
};

/** Returns the columns of a client. Throws `VALIDATION_ERROR`. */
export const columnsOf = (deps: Pick<Deps, "clock" | "config">, given: Given) => {
  const machineScopes = given.client_credentials_scopes ?? [];
  const metadata = { ...metadataOf(given), scope: checkScopes(deps, given) };
  if (isPublic(metadata) && given.require_pkce === false)
    throw invalid("require_pkce", "a client without a secret needs PKCE");
  const isOnDevice = metadata.redirect_uris.some((uri) => isLoopback(new URL(uri)));
  if (isPublic(metadata) && given.skip_consent && isOnDevice)
    throw invalid("skip_consent", "must be off for a client without a secret on this machine");
  if (machineScopes.some((name) => ["openid", "offline_access"].includes(name)))
    throw invalid("client_credentials_scopes", "must not be scopes of users");
  return {
    metadata: JSON.stringify(metadata),
    skipConsent: given.skip_consent ?? false,
    requirePkce: given.require_pkce ?? true,
    machineScopes: machineScopes.join(" "),
    resources: checkResources(deps, given),
    disabled: given.disabled ?? false,
    updatedAt: new Date(deps.clock()),
  };
};
