import * as oauth from "oauth4webapi";
import { clientAuthentication } from "./token-endpoint.ts";
import { clientOf, requestOptions, serverOf } from "./oauth-server.ts";
import { parseAnswer } from "./provider-call.ts";
import { asProviderError, ProviderError, type ProviderClient } from "./provider-client.ts";

/** These refusals may be temporary: a client whose secret is being changed, a timeout, and a rate limit. */
const passing: ReadonlySet<number> = new Set([401, 408, 429]);

/** Some providers respond 400 for temporary errors, too. The error code decides (RFC 6749 sections 4.1.2.1 and 5.2). */
const passingErrors: ReadonlySet<unknown> = new Set(["invalid_client", "temporarily_unavailable"]);

const isFinal = (status: number, error: unknown): boolean =>
  status >= 400 && status < 500 && !passing.has(status) && !passingErrors.has(error);

/**
 * Revokes a token at the provider (RFC 7009). Returns false if the provider has no revocation endpoint. Rejects with a
 * `ProviderError`.
 */
export const revokeToken = async (
  providerClient: ProviderClient,
  { token, kind }: { token: string; kind: "access_token" | "refresh_token" },
): Promise<boolean> => {
  const server = serverOf(providerClient);
  if (server.revocation_endpoint === undefined) return false;
  try {
    const response = await oauth.revocationRequest(
      server,
      clientOf(providerClient),
      await clientAuthentication(providerClient),
      token,
      {
        ...requestOptions,
        additionalParameters: { token_type_hint: kind },
        [oauth.customFetch]: (url: string, { method: _, headers, body }) =>
          providerClient.fetch(url, { method: "POST", headers, body: new URLSearchParams(body) }),
      },
    );
    const { ok, status } = response;
    if (ok) return true;
    const { error } = parseAnswer(await response.text()) ?? {};
    const outcome = { error, isFinal: isFinal(status, error) };
    throw new ProviderError(`the provider answers ${status}`, outcome);
  } catch (error) {
    throw asProviderError("failed to revoke the token", error, {});
  }
};
