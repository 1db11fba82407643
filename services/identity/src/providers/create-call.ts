import type { TokenAnswer } from "./provider.ts";
import { type AskInit, parseAnswer, type ProviderCall } from "./provider-call.ts";
import type { Talk } from "./talk.ts";

/** What is known of somebody besides their tokens. */
export interface Known {
  /** The id of their account, where there is one. */
  accountId?: string | undefined;
  /** A name that came with the browser or client. */
  givenName?: string | undefined;
}

/** What the definition of a provider asks it with. */
export const createCall = (
  { definition, provider, fetch }: Talk,
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
