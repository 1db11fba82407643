import type { ProviderTokens, ProviderUser } from "@latchkey/contracts";
import type { z } from "zod";
import type { Answer, Endpoints, ProviderCall } from "./provider-call.ts";

/** A user at a provider, as the built-in mapping returns it. */
export interface BuiltUser extends ProviderUser {
  /** Further members, for example for additional fields. */
  more?: Readonly<Record<string, unknown>>;
}

/** A request to a token endpoint before it is sent. */
export interface TokenRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body: URLSearchParams;
}

/** The checks on an id token that a client brings. Its signature must be by a key of `endpoints.jwks`. */
export interface ClientIdTokenRules {
  /** Accepted issuers, compared exactly. Default: the provider's. */
  issuers?: readonly string[];
  /** Accepted audiences. Default: the client's ids. */
  audiences?: readonly string[];
  /** Longest age since it was issued, in seconds. */
  maxAgeSeconds?: number;
  /** The token may contain the nonce as its SHA-256, in hex. */
  hashesNonce?: boolean;
  /** Clients may bring an access token in place of an id token. */
  acceptsAccessTokens?: boolean;
  /** Checks the claims after the token has been verified. */
  accepts?: (claims: Answer) => boolean;
  /**
   * Verifies the token by a call to the provider in place of its signature. Returns the claims, or undefined for a bad
   * token.
   */
  ask?: (
    call: ProviderCall,
    token: { token: string; nonce: string | undefined },
  ) => Promise<Answer | undefined>;
}

/**
 * A provider as data: its endpoints, its requests and the meaning of its responses. Defaults follow OAuth 2 and OpenID
 * Connect. The flow itself has no special case for any provider.
 */
export interface ProviderDefinition<Profile extends z.ZodType = z.ZodType> {
  /** The display name. */
  name: string;
  endpoints: Endpoints;
  /**
   * The issuer of its id tokens and responses, compared exactly. A function if it depends on the tenant that the token
   * names. Without an issuer, id tokens of the provider are ignored.
   */
  issuer?: string | ((claims: Answer) => string | undefined);
  /** Its authorization responses always name the issuer (RFC 9207). */
  namesIssuer?: boolean;
  /** Allowed signature algorithms of its id tokens. Default: RS256 only. */
  algorithms?: readonly string[];
  /** The client authentication method. Default: in the form. */
  clientAuthentication?: "post" | "basic";
  /** Non-standard names of the client's id and secret in requests. */
  clientNames?: { id: string; secret: string };
  /** Default scopes. */
  scopes: readonly string[];
  scopeSeparator?: " " | ",";
  /** Puts scopes of the request before the configured ones. */
  requestedScopesFirst?: boolean;
  /** False if the provider does not support code challenges. */
  pkce: boolean;
  /** The provider copies the request's `nonce` into its id tokens: if `openid` is requested, or always. */
  nonce?: boolean | "always";
  /** The provider accepts a login hint. */
  loginHint?: boolean;
  /** The provider accepts a `prompt`. A text is the default value. */
  prompt?: boolean | string;
  responseMode?: "query" | "form_post";
  /** Further parameters of the authorization URL. A function if they depend on the requested scopes. */
  authorizationParameters?:
    | Readonly<Record<string, string | undefined>>
    | ((scopes: readonly string[]) => Readonly<Record<string, string | undefined>>);
  /** The fragment of the authorization URL, after `#`. */
  authorizationFragment?: string;
  /** False if the provider's tokens cannot be refreshed. */
  refreshes?: boolean;
  /** Further parameters of a refresh. */
  refreshParameters?: Readonly<Record<string, string>>;
  /** Adapts a request to the token endpoint. `callback` holds the other parameters of the browser's callback. */
  adaptRequest?: (
    request: TokenRequest,
    callback: Readonly<Record<string, string>>,
  ) => TokenRequest;
  /** Converts a response of the token endpoint to the standard form, with errors under `error`. */
  tidyAnswer?: (answer: Answer) => Answer;
  /** Present if clients may bring id tokens of this provider. */
  clientIdToken?: ClientIdTokenRules;
  /** Name of a new user whose provider sends none. Default: the address. */
  nameFallback?: string;
  /** Reads the provider's profile. Undefined if the provider refuses. */
  readProfile: (call: ProviderCall) => Promise<unknown>;
  /** The schema that a profile must match. */
  profile: Profile;
  /** Returns undefined if this user may not sign in. */
  toUser: (profile: z.output<Profile>, call: ProviderCall) => BuiltUser | undefined;
}

/** Declares a provider. Ties the type of the profile between schema and mapping. */
export const defineProvider = <Profile extends z.ZodType>(
  definition: ProviderDefinition<Profile>,
): ProviderDefinition =>
  // The mapping only receives values that its own schema has accepted.
  definition;

/** Returns the allowed signature algorithms of the provider's id tokens. */
export const algorithmsOf = ({ algorithms }: ProviderDefinition): readonly string[] =>
  algorithms ?? ["RS256"];

/** The tolerated difference from the clock of the issuer of a client's id token, in seconds. */
export const toleratedSeconds = 30;

/** The outcome of a token request. */
export interface TokenAnswer {
  tokens: ProviderTokens;
  /** Claims of the id token, verified. */
  claims: Answer | undefined;
  /** The whole response. */
  answer: Answer;
}
