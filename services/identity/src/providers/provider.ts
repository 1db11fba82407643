import type { EndpointName, ProviderTokens, ProviderUser } from "@latchkey/contracts";
import type { z } from "zod";
import type { ProviderCall } from "./provider-call.ts";

/** What a JSON answer or an id token says, by name. */
export type Answer = Record<string, unknown>;

export type Endpoints = Partial<Record<EndpointName, string>> & {
  authorization: string;
  token: string;
};

/** Somebody at a provider, as its own mapping makes them. */
export interface BuiltUser extends ProviderUser {
  /** Further members of the user, such as additional fields may be of. */
  more?: Readonly<Record<string, unknown>>;
}

/** A request to a token endpoint, as it is about to be sent. */
export interface TokenRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body: URLSearchParams;
}

/** How an id token that a client brings is checked. Its signature is by a key of `endpoints.jwks`. */
export interface BroughtTokenRules {
  /** Good issuers, word for word; by default the provider's. */
  issuers?: readonly string[];
  /** For whom the token must be; by default one of the client's ids. */
  audiences?: readonly string[];
  /** Longest time since it was issued, in seconds. */
  maxAgeSeconds?: number;
  /** The nonce may stand in the token as the SHA-256 of what was sent, in hex. */
  hashesNonce?: boolean;
  /** Looks at the claims once they are proven. */
  accepts?: (claims: Answer) => boolean;
  /** Asks the provider in place of checking a signature: the claims, or undefined for a bad token. */
  ask?: (
    call: ProviderCall,
    token: { token: string; nonce: string | undefined },
  ) => Promise<Answer | undefined>;
}

/**
 * A provider as data: where it is, what it wants to be sent, and how its answers read. What is left out is as OAuth 2
 * and OpenID Connect have it; the flow itself knows no provider by name.
 */
export interface ProviderDefinition<Profile extends z.ZodType = z.ZodType> {
  /** As people know it. */
  name: string;
  endpoints: Endpoints;
  /**
   * The issuer of its id tokens and answers, word for word; a function where the token says of which tenant it is.
   * Without one, id tokens of the provider are passed by.
   */
  issuer?: string | ((claims: Answer) => string | undefined);
  /** Its answers to the browser name the issuer always (RFC 9207). */
  namesIssuer?: boolean;
  /** Algorithms that its id tokens may be signed with; by default RS256 alone. */
  algorithms?: readonly string[];
  /** How the secret is sent; by default in the form. */
  clientAuthentication?: "post" | "basic";
  /** Names of the client's id and secret in requests, where they are not the standard ones. */
  clientNames?: { id: string; secret: string };
  /** Default scopes. */
  scopes: readonly string[];
  scopeSeparator?: " " | ",";
  /** Scopes of the request stand before the configured ones. */
  requestedScopesFirst?: boolean;
  /** False for a provider that knows no code challenge. */
  pkce: boolean;
  /** Puts the `nonce` of the request into its id tokens: where `openid` is asked for, or always. */
  nonce?: boolean | "always";
  /** Takes the address of who is about to sign in. */
  loginHint?: boolean;
  /** Takes a `prompt`; as text, the one that it gets by default. */
  prompt?: boolean | string;
  responseMode?: "query" | "form_post";
  /** Further parameters of the authorization URL; a function where they depend on the scopes asked for. */
  authorizationParameters?:
    | Readonly<Record<string, string | undefined>>
    | ((scopes: readonly string[]) => Readonly<Record<string, string | undefined>>);
  /** What the authorization URL ends with, after `#`. */
  authorizationFragment?: string;
  /** False for a provider whose tokens cannot be refreshed. */
  refreshes?: boolean;
  /** Further parameters of a refresh. */
  refreshParameters?: Readonly<Record<string, string>>;
  /** Adapts a request to the token endpoint; `callback` is what the browser brought along with the code. */
  adaptRequest?: (
    request: TokenRequest,
    callback: Readonly<Record<string, string>>,
  ) => TokenRequest;
  /** Brings an answer of the token endpoint into the standard form; errors under `error`. */
  tidyAnswer?: (answer: Answer) => Answer;
  /** Goes with providers whose id tokens clients may bring. */
  brought?: BroughtTokenRules;
  /** Name of somebody new who has told none; by default their address is. */
  nameFallback?: string;
  /** The provider's own words about the user; undefined where it refuses. */
  readProfile: (call: ProviderCall) => Promise<unknown>;
  /** What must be there of the profile. */
  profile: Profile;
  /** Undefined where nobody may come in like this. */
  toUser: (profile: z.output<Profile>, call: ProviderCall) => BuiltUser | undefined;
}

/** Declares a provider, keeping the type of its profile between schema and mapping. */
export const defineProvider = <Profile extends z.ZodType>(
  definition: ProviderDefinition<Profile>,
): ProviderDefinition =>
  // The mapping is only ever given what its own schema let through.
  definition;

/** What the id tokens of a provider may be signed with. */
export const algorithmsOf = ({ algorithms }: ProviderDefinition): readonly string[] =>
  algorithms ?? ["RS256"];

/** What came of a token endpoint. */
export interface TokenAnswer {
  tokens: ProviderTokens;
  /** Of the id token, checked. */
  claims: Answer | undefined;
  /** All that was answered. */
  answer: Answer;
}
