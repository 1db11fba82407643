import * as oauth from "oauth4webapi";
import { clientAuthentication } from "./client-authentication.ts";
import { asProviderError, clientOf, requestOptions, serverOf } from "./oauth-server.ts";
import { parseAnswer } from "./provider-call.ts";
import { ProviderError } from "./provider-error.ts";
import type { Talk } from "./talk.ts";

/** Of refusals these may pass: of a client whose secret is being changed, of a slow one, and of one that asks too often. */
const passing: ReadonlySet<number> = new Set([401, 408, 429]);

/** Some answer 400 to these too; their own word tells (RFC 6749 sections 4.1.2.1 and 5.2). */
const passingErrors: ReadonlySet<unknown> = new Set(["invalid_client", "temporarily_unavailable"]);

const isFinal = (status: number, error: unknown): boolean =>
  status >= 400 && status < 500 && !passing.has(status) && !passingErrors.has(error);

/** Has the provider end what a token allows (RFC 7009); false where it offers no such thing. Rejects with a `ProviderError`. */
export const revokeToken = async (
  talk: Talk,
  { token, kind }: { token: string; kind: "access_token" | "refresh_token" },
): Promise<boolean> => {
  const server = serverOf(talk);
  if (server.revocation_endpoint === undefined) return false;
  try {
    const response = await oauth.revocationRequest(
      server,
      clientOf(talk),
      await clientAuthentication(talk),
      token,
      {
        ...requestOptions,
        additionalParameters: { token_type_hint: kind },
        [oauth.customFetch]: (url: string, { method: _, headers, body }) =>
          talk.fetch(url, { method: "POST", headers, body: new URLSearchParams(body) }),
      },
    );
    const { ok, status } = response;
    if (ok) return true;
    const { error } = parseAnswer(await response.text()) ?? {};
    const outcome = { error, isFinal: isFinal(status, error) };
    throw new ProviderError(`the provider answers ${status}`, outcome);
  } catch (error) {
    throw asProviderError("the provider did not revoke the token", error, {});
  }
};
