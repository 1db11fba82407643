import { importPKCS8, compactVerify, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { type ClientAuth, modifyAssertion, PrivateKeyJwt } from "oauth4webapi";
import { type ProviderClient, asProviderError, ProviderError } from "./provider-client.ts";
import { clientOf, requestOptions, serverOf } from "./oauth-server.ts";
import { keySetOf } from "./key-set.ts";
import { algorithmsOf, type TokenAnswer, type TokenRequest } from "./provider.ts";
import { type Answer, parseAnswer } from "./provider-call.ts";
import { expectsNonce } from "./authorization-url.ts";
import { readClaims, readTokens, tidy } from "./token-answer.ts";

/** Encodes a text as in forms (RFC 6749 section 2.3.1, appendix B). */
const formEncode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);

/** Adds client authentication to a request to the token endpoint: a signed assertion, the header or the form. */
export const clientAuthentication = async ({
  definition,
  provider,
}: ProviderClient): Promise<ClientAuth> => {
  const { privateKey, clientSecret } = provider.options;
  if (privateKey) {
    const { pem, alg, kid } = privateKey;
    const key = await importPKCS8(pem, alg === "EdDSA" ? "Ed25519" : alg);
    return PrivateKeyJwt(kid === undefined ? key : { key, kid }, {
      [modifyAssertion]: (_header, payload) => {
        // The audience is the issuer, unless only the tokens name it.
        if (typeof definition.issuer !== "string") payload["aud"] = definition.endpoints.token;
      },
    });
  }
  const names = definition.clientNames ?? { id: "client_id", secret: "client_secret" };
  const isBasic = definition.clientAuthentication === "basic" && clientSecret !== undefined;
  return (...[, { client_id: id }, body, headers]: Parameters<ClientAuth>) => {
    if (isBasic) {
      const credentials = `${formEncode(id)}:${formEncode(clientSecret)}`;
      headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
      return;
    }
    body.set(names.id, id);
    if (clientSecret !== undefined) body.set(names.secret, clientSecret);
  };
};

/** Inputs of a code exchange. */
interface CodeExchange {
  code: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** The requested scopes. */
  scopes: readonly string[];
  /** The other parameters of the browser's callback. */
  callback: Readonly<Record<string, string>>;
}

const send = (
  providerClient: ProviderClient,
  { method, url, headers, body }: TokenRequest,
): Promise<Response> => {
  if (method === "POST") return providerClient.fetch(url, { method, headers, body });
  const target = new URL(url);
  for (const [name, value] of body) target.searchParams.set(name, value);
  const { "content-type": _ofBody, ...others } = headers;
  return providerClient.fetch(target, { headers: others });
};

/** One request to the token endpoint, with the adaptations of the provider. */
const createExchange = (
  providerClient: ProviderClient,
  callback: Readonly<Record<string, string>>,
) => {
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
        providerClient,
        providerClient.definition.adaptRequest?.(request, callback) ?? request,
      );
      exchange.answer = tidy(providerClient, parseAnswer(await response.text()) ?? {});
      // Some providers respond 200 even for errors.
      const isGood = response.ok && !("error" in exchange.answer);
      const status = isGood ? 200 : Math.max(response.status, 400);
      return Response.json(exchange.answer, { status });
    },
  };
  return exchange;
};

/**
 * Checks the signature of an id token: with a published key, or with the secret if its algorithm is an HMAC. Without
 * published keys the token is accepted, because it came directly from the provider (OpenID Connect Core 3.1.3.7).
 */
const checkSignature = async (providerClient: ProviderClient, idToken: string): Promise<void> => {
  const { clientSecret } = providerClient.provider.options;
  const isBySecret = decodeProtectedHeader(idToken).alg?.startsWith("HS") === true;
  const options = { algorithms: [...algorithmsOf(providerClient.definition)] };
  const keys = keySetOf(providerClient);
  if (isBySecret) {
    if (clientSecret === undefined)
      throw new ProviderError(
        "the id token's signature needs a client secret, but none is configured",
      );
    await compactVerify(idToken, new TextEncoder().encode(clientSecret), options);
  } else if (keys) await compactVerify(idToken, keys, options);
};

type Process = (
  server: oauth.AuthorizationServer,
  response: Response,
) => Promise<oauth.TokenEndpointResponse>;

const finish = async (
  providerClient: ProviderClient,
  exchange: ReturnType<typeof createExchange>,
  { response, process }: { response: Response; process: Process },
): Promise<TokenAnswer> => {
  const server = serverOf(providerClient, exchange.answer);
  const processed = await process(server, response);
  const claims = oauth.getValidatedIdTokenClaims(processed);
  if (claims) await checkSignature(providerClient, processed.id_token ?? "");
  return {
    tokens: readTokens(exchange.answer, providerClient.now()),
    claims,
    answer: exchange.answer,
  };
};

/**
 * Exchanges a code for tokens. Verifies that an id token is from the provider, for this client, of this request and not
 * expired. Rejects with a `ProviderError` for any other response.
 */
export const exchangeCode = async (
  providerClient: ProviderClient,
  given: CodeExchange,
): Promise<TokenAnswer> => {
  const { definition } = providerClient;
  const exchange = createExchange(providerClient, given.callback);
  const client = clientOf(providerClient);
  const server = serverOf(providerClient);
  try {
    const returned = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: given.code }),
      oauth.skipStateCheck, // the state was checked and used up before
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      await clientAuthentication(providerClient),
      returned,
      given.redirectUri,
      definition.pkce ? given.codeVerifier : oauth.nopkce,
      { ...requestOptions, [oauth.customFetch]: exchange.fetch },
    );
    const nonce = expectsNonce(definition, given.scopes) ? { expectedNonce: given.nonce } : {};
    return await finish(providerClient, exchange, {
      response,
      process: (as, answered) =>
        oauth.processAuthorizationCodeResponse(as, client, answered, nonce),
    });
  } catch (error) {
    throw asProviderError("the provider gave no tokens for the code", error, exchange.answer);
  }
};

/**
 * Drops an id token that cannot be verified, along with its claims. The refresh token beside it may be the only valid one
 * from now on, so it must not be lost.
 */
const finishRefresh = async (
  providerClient: ProviderClient,
  exchange: ReturnType<typeof createExchange>,
  answered: Response,
): Promise<TokenAnswer> => {
  const process: Process = (server, response) =>
    oauth.processRefreshTokenResponse(server, clientOf(providerClient), response);
  try {
    return await finish(providerClient, exchange, { response: answered, process });
  } catch (error) {
    const { id_token: unproven, ...answer } = exchange.answer;
    if (unproven === undefined || !answered.ok) throw error;
    exchange.answer = answer;
    return finish(providerClient, exchange, { response: Response.json(answer), process });
  }
};

/** Refreshes tokens (RFC 6749 section 6). Rejects with a `ProviderError`. */
export const refreshTokens = async (
  providerClient: ProviderClient,
  refreshToken: string,
): Promise<TokenAnswer> => {
  const {
    definition,
    provider: { options },
  } = providerClient;
  const exchange = createExchange(providerClient, {});
  try {
    if (options.refreshAccessToken) {
      const tokens = await providerClient.within(options.refreshAccessToken(refreshToken));
      return { tokens, claims: readClaims(tokens.idToken), answer: {} };
    }
    const endpoint = definition.endpoints.refresh ?? definition.endpoints.token;
    const response = await oauth.refreshTokenGrantRequest(
      { ...serverOf(providerClient), token_endpoint: endpoint },
      clientOf(providerClient),
      await clientAuthentication(providerClient),
      refreshToken,
      {
        ...requestOptions,
        [oauth.customFetch]: exchange.fetch,
        additionalParameters: { ...definition.refreshParameters },
      },
    );
    return await finishRefresh(providerClient, exchange, response);
  } catch (error) {
    throw asProviderError("the provider did not refresh the tokens", error, exchange.answer);
  }
};
