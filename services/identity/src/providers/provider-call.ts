import type { OutboundInit } from "@latchkey/service-kit";
import type { ProviderTokens } from "@latchkey/contracts";
import type { Answer, Endpoints } from "./provider.ts";

/** What a provider's profile is read with. */
export interface ProviderCall {
  endpoints: Endpoints;
  clientIds: readonly string[];
  tokens: ProviderTokens;
  /** Of the id token; undefined where there is none. */
  claims: Answer | undefined;
  /** All that the token endpoint answered; empty where the tokens are kept ones. */
  answer: Answer;
  /** The id of the account, where it is known already. */
  accountId: string | undefined;
  /** A name that came with the browser or client, as Apple tells it once. */
  givenName: string | undefined;
  /** A JSON answer to the access token as bearer; undefined where it is refused or no object. */
  ask: (url: string, init?: AskInit) => Promise<Answer | undefined>;
  /** Any answer to the access token as bearer. */
  fetch: (url: string, init?: AskInit) => Promise<Response>;
}

export interface AskInit extends Pick<OutboundInit, "method" | "body"> {
  /** Besides `accept` and `authorization`, or in their place; an empty one is not sent. */
  headers?: Record<string, string>;
}

/** The value as an object of JSON; undefined for anything else. */
export const asAnswer = (value: unknown): Answer | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Answer)
    : undefined;

/** The JSON object of a text; undefined for anything else. */
export const parseAnswer = (text: string): Answer | undefined => {
  try {
    return asAnswer(JSON.parse(text));
  } catch {
    return undefined;
  }
};
