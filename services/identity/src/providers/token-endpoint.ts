import { compactVerify, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { clientAuthentication } from "./client-authentication.ts";
import { asProviderError, clientOf, requestOptions, serverOf } from "./oauth-server.ts";
import { keySetOf } from "./key-set.ts";
import { algorithmsOf, type Answer, type TokenAnswer, type TokenRequest } from "./provider.ts";
import { parseAnswer } from "./provider-call.ts";
import { ProviderError } from "./provider-error.ts";
import { expectsNonce } from "./scopes.ts";
import type { Talk } from "./talk.ts";
import { readClaims, readTokens, tidy } from "./token-answer.ts";

/** What a code is exchanged with. */
export interface CodeExchange {
  code: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** The scopes that were asked for. */
  scopes: readonly string[];
  /** What else the browser brought. */
  callback: Readonly<Record<string, string>>;
}

const send = (talk: Talk, { method, url, headers, body }: TokenRequest): Promise<Response> => {
  if (method === "POST") return talk.fetch(url, { method, headers, body });
  const target = new URL(url);
  for (const [name, value] of body) target.searchParams.set(name, value);
  const { "content-type": _ofBody, ...others } = headers;
  return talk.fetch(target, { headers: others });
};

/** One exchange with the token endpoint, through the adaptations of the provider. */
const createExchange = (talk: Talk, callback: Readonly<Record<string, string>>) => {
  const exchange = {
    answer: {} as Answer,
    fetch: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const { "user-agent": _library, ...headers } = init.headers;
      const request: TokenRequest = {
        method: "POST",
        url,
        headers: { ...headers, accept: "application/json" },
        body: new URLSearchParams(String(init.body)),
      };
      const response = await send(
        talk,
        talk.definition.adaptRequest?.(request, callback) ?? request,
      );
      exchange.answer = tidy(talk, parseAnswer(await response.text()) ?? {});
      // Some answer with 200 whatever becomes of it.
      const isGood = response.ok && !("error" in exchange.answer);
      const status = isGood ? 200 : Math.max(response.status, 400);
      return Response.json(exchange.answer, { status });
    },
  };
  return exchange;
};

/**
 * Whether an id token is signed by a published key, or by the secret where its algorithm is for secrets. Where there is
 * nothing to check with, it is good for having come from the provider itself (OpenID Connect Core 3.1.3.7).
 */
const checkSignature = async (talk: Talk, idToken: string): Promise<void> => {
  const { clientSecret } = talk.provider.options;
  const isBySecret = decodeProtectedHeader(idToken).alg?.startsWith("HS") === true;
  const options = { algorithms: [...algorithmsOf(talk.definition)] };
  const keys = keySetOf(talk);
  if (isBySecret) {
    if (clientSecret === undefined) throw new ProviderError("the id token is signed with no key");
    await compactVerify(idToken, new TextEncoder().encode(clientSecret), options);
  } else if (keys) await compactVerify(idToken, keys, options);
};

type Process = (
  server: oauth.AuthorizationServer,
  response: Response,
) => Promise<oauth.TokenEndpointResponse>;

const finish = async (
  talk: Talk,
  exchange: ReturnType<typeof createExchange>,
  { response, process }: { response: Response; process: Process },
): Promise<TokenAnswer> => {
  const server = serverOf(talk, exchange.answer);
  const processed = await process(server, response);
  const claims = oauth.getValidatedIdTokenClaims(processed);
  if (claims) await checkSignature(talk, processed.id_token ?? "");
  return { tokens: readTokens(exchange.answer, talk.now()), claims, answer: exchange.answer };
};

/**
 * Exchanges a code for tokens; an id token among them is proven to be from the provider, for us, of this request and
 * not expired. Rejects with a `ProviderError` for whatever the provider answers else.
 */
export const exchangeCode = async (talk: Talk, given: CodeExchange): Promise<TokenAnswer> => {
  const { definition } = talk;
  const exchange = createExchange(talk, given.callback);
  const client = clientOf(talk);
  const server = serverOf(talk);
  try {
    const returned = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: given.code }),
      oauth.skipStateCheck, // the state has been used up by now
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      await clientAuthentication(talk),
      returned,
      given.redirectUri,
      definition.pkce ? given.codeVerifier : oauth.nopkce,
      { ...requestOptions, [oauth.customFetch]: exchange.fetch },
    );
    const nonce = expectsNonce(definition, given.scopes) ? { expectedNonce: given.nonce } : {};
    return await finish(talk, exchange, {
      response,
      process: (as, answered) =>
        oauth.processAuthorizationCodeResponse(as, client, answered, nonce),
    });
  } catch (error) {
    throw asProviderError("the provider gave no tokens for the code", error, exchange.answer);
  }
};

/**
 * An id token that cannot be proven is left away, with what it says: the refresh token beside it may be the only one that
 * is good from now on, and must not be lost with it.
 */
const finishRefresh = async (
  talk: Talk,
  exchange: ReturnType<typeof createExchange>,
  answered: Response,
): Promise<TokenAnswer> => {
  const process: Process = (server, response) =>
    oauth.processRefreshTokenResponse(server, clientOf(talk), response);
  try {
    return await finish(talk, exchange, { response: answered, process });
  } catch (error) {
    const { id_token: unproven, ...answer } = exchange.answer;
    if (unproven === undefined || !answered.ok) throw error;
    exchange.answer = answer;
    return finish(talk, exchange, { response: Response.json(answer), process });
  }
};

/** Refreshes tokens (RFC 6749 section 6). Rejects with a `ProviderError`. */
export const refreshTokens = async (talk: Talk, refreshToken: string): Promise<TokenAnswer> => {
  const {
    definition,
    provider: { options },
  } = talk;
  const exchange = createExchange(talk, {});
  try {
    if (options.refreshAccessToken) {
      const tokens = await talk.within(options.refreshAccessToken(refreshToken));
      return { tokens, claims: readClaims(tokens.idToken), answer: {} };
    }
    const endpoint = definition.endpoints.refresh ?? definition.endpoints.token;
    const response = await oauth.refreshTokenGrantRequest(
      { ...serverOf(talk), token_endpoint: endpoint },
      clientOf(talk),
      await clientAuthentication(talk),
      refreshToken,
      {
        ...requestOptions,
        [oauth.customFetch]: exchange.fetch,
        additionalParameters: { ...definition.refreshParameters },
      },
    );
    return await finishRefresh(talk, exchange, response);
  } catch (error) {
    throw asProviderError("the provider did not refresh the tokens", error, exchange.answer);
  }
};
