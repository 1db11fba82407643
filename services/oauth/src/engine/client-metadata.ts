import type { OperationInput, operations } from "@latchkey/contracts";

type Sent = OperationInput<(typeof operations.oauth)["createOauthClient"]>["body"];
type Powers =
  | "profile"
  | "client_credentials_scopes"
  | "disabled"
  | "require_pkce"
  | "resources"
  | "skip_consent";
type WithDefault =
  | "application_type"
  | "grant_types"
  | "redirect_uris"
  | "scope"
  | "token_endpoint_auth_method";

/** The stored metadata of a client, by the names of RFC 7591 and with its defaults. */
export type ClientMetadata = Omit<Sent, Powers | WithDefault> & {
  [Name in WithDefault]: NonNullable<Sent[Name]>;
} & { response_types: string[]; profile?: "fapi2" | undefined };

export const readMetadata = (text: string): ClientMetadata => JSON.parse(text) as ClientMetadata; // written by our own operations

/** Whether a client has no secret, because everybody could read it. */
export const isPublic = (
  metadata: Pick<ClientMetadata, "token_endpoint_auth_method"> | undefined,
): boolean => metadata?.token_endpoint_auth_method === "none";

/** Whether a client authenticates by a secret of ours. */
export const hasSecret = (
  metadata: Pick<ClientMetadata, "token_endpoint_auth_method"> | undefined,
): boolean => metadata?.token_endpoint_auth_method.startsWith("client_secret") === true;

/** Returns the names in a scope. */
export const scopeNames = (scope: string | undefined): string[] =>
  scope?.split(" ").filter(Boolean) ?? [];

/** Returns a scope without the names that are no longer configured. */
export const configuredScope = (
  { scope }: Pick<ClientMetadata, "scope">,
  configured: readonly string[],
): string =>
  scopeNames(scope)
    .filter((name) => configured.includes(name))
    .join(" ");

/**
 * Returns the metadata of a client as the provider reads it. The secret is a placeholder, because only hashes are stored. The provider refuses
 * a client with a scope that is not configured.
 */
export const providerMetadata = (
  { id, metadata: text }: { id: string; metadata: string },
  configured: readonly string[],
) => {
  const metadata = readMetadata(text);
  return {
    ...metadata,
    scope: configuredScope(metadata, configured),
    client_id: id,
    ...(hasSecret(metadata) && { client_secret: "hashed" }),
  };
};
