import type { OutboundInit } from "@latchkey/service-kit/http";
import type { EndpointName, ProviderTokens } from "@latchkey/contracts";

/** The members of a JSON response or of an id token, by name. */
export type Answer = Record<string, unknown>;

export type Endpoints = Partial<Record<EndpointName, string>> & {
  authorization: string;
  token: string;
};

/** The interface with which a definition reads the provider's profile. */
export interface ProviderCall {
  endpoints: Endpoints;
  clientIds: readonly string[];
  tokens: ProviderTokens;
  /** Claims of the id token. Undefined if there is none. */
  claims: Answer | undefined;
  /** The token endpoint's whole response. Empty if the tokens were stored ones. */
  answer: Answer;
  /** The account's id at the provider, if it is linked. */
  accountId: string | undefined;
  /** A name that came with the browser or client. Apple sends it once. */
  givenName: string | undefined;
  /** Calls with the access token as bearer and returns the JSON object. Undefined for an error status or anything else. */
  ask: (url: string, init?: AskInit) => Promise<Answer | undefined>;
  /** Calls with the access token as bearer and returns the response. */
  fetch: (url: string, init?: AskInit) => Promise<Response>;
}

export interface AskInit extends Pick<OutboundInit, "method" | "body"> {
  /** Added to `accept` and `authorization`, or replacing them. An empty one is not sent. */
  headers?: Record<string, string>;
}

/** Returns the value as a JSON object, or undefined for anything else. */
export const asAnswer = (value: unknown): Answer | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Answer)
    : undefined;

/** Returns the JSON object in a text, or undefined for anything else. */
export const parseAnswer = (text: string): Answer | undefined => {
  try {
    return asAnswer(JSON.parse(text));
  } catch {
    return undefined;
  }
};
