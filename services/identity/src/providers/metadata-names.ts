import type { EndpointName } from "@latchkey/contracts";

/** The names of the endpoints in a provider's metadata. */
export const metadataNames = {
  authorization: "authorization_endpoint",
  token: "token_endpoint",
  userInfo: "userinfo_endpoint",
  jwks: "jwks_uri",
  revoke: "revocation_endpoint",
} as const satisfies Partial<Record<EndpointName, string>>;
