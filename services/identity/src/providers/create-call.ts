import type { TokenAnswer } from "./provider.ts";
import { type AskInit, parseAnswer, type ProviderCall } from "./provider-call.ts";
import type { ProviderClient } from "./provider-client.ts";

/** Knowledge about the user that does not come from the tokens. */
export interface Known {
  /** The account's id at the provider, if it is linked. */
  accountId?: string | undefined;
  /** A name that the browser or client sent. */
  givenName?: string | undefined;
}

/** Returns the interface with which a definition calls its provider. */
export const createCall = (
  { definition, provider, fetch }: ProviderClient,
  { tokens, claims, answer }: TokenAnswer,
  known: Known,
): ProviderCall => {
  const askAny = (url: string, init: AskInit = {}) => {
    const headers = {
      accept: "application/json",
      authorization: tokens.accessToken ? `Bearer ${tokens.accessToken}` : "",
      ...init.headers,
    };
    const sent = Object.entries(headers).filter(([, value]) => value !== "");
    return fetch(url, { ...init, headers: Object.fromEntries(sent) });
  };
  return {
    endpoints: definition.endpoints,
    clientIds: provider.clientIds,
    tokens,
    claims,
    answer,
    accountId: known.accountId,
    givenName: known.givenName,
    fetch: askAny,
    ask: async (url, init) => {
      const response = await askAny(url, init);
      return response.ok ? parseAnswer(await response.text()) : undefined;
    },
  };
};
