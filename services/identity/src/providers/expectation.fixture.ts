import type { EndpointName, ProviderTokens } from "@latchkey/contracts";
import type { SocialUser } from "./read-user.ts";

/** A request as it is seen on the wire, members that do not matter left out. */
export interface SeenRequest {
  method?: "GET" | "POST";
  /** Exactly these parameters: of the URL of a GET, of the form of a POST, or of the JSON object that it sends. */
  parameters?: Record<string, string>;
  /** These headers, among others; undefined for one that must not be sent. */
  headers?: Record<string, string | undefined>;
}

/** An answer of a provider as it was recorded; text is sent as it is, all else as JSON. */
export interface GivenAnswer {
  status?: number;
  type?: string;
  body: unknown;
}

/**
 * What is known of one provider's protocol: what it must be sent, and what its answers mean. Placeholders in expected
 * parameters and headers: `{client}`, `{secret}`, `{basic}` (both as credentials of the scheme Basic), `{state}`,
 * `{redirect}`, `{challenge}`, `{verifier}`, `{nonce}`, `{code}`, `{refresh}`, `{access}` (the token of `tokens`).
 */
export interface Expectation {
  /** Options besides the credentials. */
  options?: Record<string, unknown>;
  /** The provider's own addresses, all of them. */
  endpoints: Partial<Record<EndpointName, string>>;
  /**
   * Every parameter of the authorization URL where `loginHint` is `ann@example.com`, the option `prompt` is `login`, the
   * option `scope` is `["configured"]` and the request's scopes are `["requested"]`.
   */
  authorization: Record<string, string>;
  /** What the URL ends with, after `#`. */
  fragment?: string;
  /** What other options change: addresses, and parameters of the authorization URL, undefined for those that go. */
  variants?: {
    case: string;
    options: Record<string, unknown>;
    endpoints?: Partial<Record<EndpointName, string>>;
    authorization?: Record<string, string | undefined>;
  }[];
  /** What the browser brings besides code and state. */
  callback?: Record<string, string>;
  exchange: SeenRequest;
  /** The token endpoint's answer; `{idToken}` in it becomes a token of `claims`. */
  answer: GivenAnswer;
  /** The tokens that the answer gives, all of them, times left out; `{idToken}` as above. */
  tokens: Partial<ProviderTokens>;
  /** Seconds until they expire, where the answer says so. */
  expiresIn?: { access?: number; refresh?: number };
  /** Claims of the id token besides iss, aud, exp, iat and nonce. */
  claims?: Record<string, unknown>;
  /** Issuer of that token. */
  issuer?: string;
  /** What the profile is read from, in order: the endpoint, what it is sent, and what it answers. */
  reads?: { endpoint: EndpointName; sent?: SeenRequest; answer: GivenAnswer }[];
  user: SocialUser;
  /**
   * Other profiles: claims in place of `claims`, answers in place of those of the same reads, as many as are given; and
   * what the user then is, or undefined where there is none.
   */
  others?: {
    case: string;
    options?: Record<string, unknown>;
    claims?: Record<string, unknown>;
    /** Issuer of the token, where it is not `issuer`. */
    issuer?: string;
    /** Further members of the token endpoint's answer; undefined takes one away. */
    answer?: Record<string, unknown>;
    /** What the profile is then read from, where it is not `reads`. */
    reads?: Expectation["reads"];
    answers?: GivenAnswer[];
    callback?: Record<string, string>;
    givenName?: string;
    user: Partial<SocialUser> | undefined;
  }[];
  /** Undefined for a provider whose tokens cannot be refreshed. `{refresh}` is the token of `tokens`. */
  refresh?: { sent: SeenRequest; answer: GivenAnswer; tokens: Partial<ProviderTokens> };
  /** Answers of the token endpoint that are errors, though they may come as 200. */
  errors?: GivenAnswer[];
}
