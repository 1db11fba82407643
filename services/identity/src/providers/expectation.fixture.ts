import type { EndpointName, ProviderTokens } from "@latchkey/contracts";
import type { SocialUser } from "./read-user.ts";

/** A request as it appears on the wire. Omitted members are not checked. */
export interface SeenRequest {
  method?: "GET" | "POST";
  /** The exact parameters: of the URL of a GET, of the form of a POST, or of the JSON object in its body. */
  parameters?: Record<string, string>;
  /** A subset of the headers. Undefined marks a header that must not be sent. */
  headers?: Record<string, string | undefined>;
}

/** A recorded response of a provider. Text is sent unchanged, all else as JSON. */
export interface GivenAnswer {
  status?: number;
  type?: string;
  body: unknown;
}

/**
 * The protocol of one provider: the requests it must receive and the meaning of its responses.
 *
 * Placeholders in expected parameters and headers: `{client}`, `{secret}`, `{basic}` (both as credentials of the scheme
 * Basic), `{state}`, `{redirect}`, `{challenge}`, `{verifier}`, `{nonce}`, `{code}`, `{refresh}`, `{access}` (the token
 * of `tokens`).
 */
export interface Expectation {
  /** Options other than the credentials. */
  options?: Record<string, unknown>;
  /** All of the provider's own endpoints. */
  endpoints: Partial<Record<EndpointName, string>>;
  /**
   * Every parameter of the authorization URL. The inputs: `loginHint` is `ann@example.com`, the option `prompt` is
   * `login`, the option `scope` is `["configured"]` and the request's scopes are `["requested"]`.
   */
  authorization: Record<string, string>;
  /** The fragment of the URL, after `#`. */
  fragment?: string;
  /**
   * The effects of other options: endpoints, and parameters of the authorization URL. Undefined marks a parameter that
   * must be missing.
   */
  variants?: {
    case: string;
    options: Record<string, unknown>;
    endpoints?: Partial<Record<EndpointName, string>>;
    authorization?: Record<string, string | undefined>;
  }[];
  /** The callback parameters other than code and state. */
  callback?: Record<string, string>;
  exchange: SeenRequest;
  /** The token endpoint's response. `{idToken}` in it becomes a token of `claims`. */
  answer: GivenAnswer;
  /** All tokens in the response, without times. `{idToken}` as above. */
  tokens: Partial<ProviderTokens>;
  /** Seconds until they expire, if the response contains them. */
  expiresIn?: { access?: number; refresh?: number };
  /** Claims of the id token other than iss, aud, exp, iat and nonce. */
  claims?: Record<string, unknown>;
  /** Issuer of the id token. */
  issuer?: string;
  /** The profile requests, in order: endpoint, expected request and response. */
  reads?: { endpoint: EndpointName; sent?: SeenRequest; answer: GivenAnswer }[];
  user: SocialUser;
  /**
   * Other profiles: claims that replace `claims`, responses that replace those of the same reads, as many as are given,
   * and the expected user, or undefined if there is none.
   */
  others?: {
    case: string;
    options?: Record<string, unknown>;
    claims?: Record<string, unknown>;
    /** Issuer of the id token, if not `issuer`. */
    issuer?: string;
    /** Further members of the token endpoint's response. Undefined removes one. */
    answer?: Record<string, unknown>;
    /** The profile requests, if not `reads`. */
    reads?: Expectation["reads"];
    answers?: GivenAnswer[];
    callback?: Record<string, string>;
    givenName?: string;
    user: Partial<SocialUser> | undefined;
  }[];
  /** Undefined if the provider's tokens cannot be refreshed. `{refresh}` is the token of `tokens`. */
  refresh?: { sent: SeenRequest; answer: GivenAnswer; tokens: Partial<ProviderTokens> };
  /** Responses of the token endpoint that are errors, even with status 200. */
  errors?: GivenAnswer[];
}

/** The parameters that every authorization URL has. */
export const codeFlow = {
  response_type: "code",
  client_id: "{client}",
  state: "{state}",
  redirect_uri: "{redirect}",
};

/** Its parameters if the code is bound to a verifier. */
export const withChallenge = { code_challenge: "{challenge}", code_challenge_method: "S256" };

/** The parts of a request to the token endpoint that are not standard. */
interface TokenRequest {
  /** The place of the credentials: the form by default, or the header of the scheme Basic. */
  client?: "basic";
  /** The code is bound to a verifier. */
  verifier?: true;
  parameters?: Record<string, string>;
  headers?: Record<string, string>;
}

const tokenRequest = (
  grant: Record<string, string>,
  { client, verifier, parameters, headers }: TokenRequest,
): SeenRequest => ({
  method: "POST",
  parameters: {
    ...grant,
    ...(verifier && { code_verifier: "{verifier}" }),
    ...(client === undefined && { client_id: "{client}", client_secret: "{secret}" }),
    ...parameters,
  },
  headers: { authorization: client && "Basic {basic}", ...headers },
});

/** The request that exchanges a code. */
export const exchangeOf = (own: TokenRequest = {}): SeenRequest =>
  tokenRequest(
    { grant_type: "authorization_code", code: "{code}", redirect_uri: "{redirect}" },
    own,
  );

/** The request that refreshes tokens. */
export const refreshOf = (own: TokenRequest = {}): SeenRequest =>
  tokenRequest({ grant_type: "refresh_token", refresh_token: "{refresh}" }, own);
