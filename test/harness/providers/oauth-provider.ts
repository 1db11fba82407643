import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** A received request. */
export interface ProviderRequest {
  method: string;
  /** The last part of the path, such as `token`. */
  endpoint: string;
  headers: Record<string, string>;
  /** The params of the query, and of the form of a POST. */
  parameters: Record<string, string>;
}

/** Writes the response, or leaves the client waiting. */
export type Respond = (response: ServerResponse, request: ProviderRequest) => void;

/** A user at the provider, and the provider's responses about that user. */
export interface ProviderUser {
  profile: unknown;
  /** The members of the token response in addition to an access token. */
  tokens?: Record<string, unknown>;
  emails?: unknown;
}

/**
 * A local provider whose endpoints respond as the test defines. By default it accepts every code of `codeFor` and responds with the
 * data encoded in it.
 */
export interface OAuthProvider {
  /** Its origin. Every endpoint is below it by its name. */
  url: string;
  /** The addresses of its endpoints, to be configured instead of a real provider's. */
  endpoints: Record<Endpoint, string>;
  requests: ProviderRequest[];
  /** The response of each endpoint from now on. An endpoint without an entry responds with 404. */
  responses: Partial<Record<Endpoint, Respond>>;
  /** Signs an id token with these claims, with the published key or with another key under the same id. */
  sign: (
    claims: JWTPayload,
    by?: { isForged?: boolean; kid?: string; alg?: string },
  ) => Promise<string>;
  /** Restores the default responses, and forgets received requests. */
  reset: () => void;
  stop: () => Promise<void>;
}

export type Endpoint = "authorization" | "token" | "userInfo" | "emails" | "jwks" | "revoke";

/** Responds with an object as JSON. */
export const respondWith =
  (answer: unknown, status = 200): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  };

/** Responds with any text. */
export const respondWithText =
  (body: string, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers });
    response.end(body);
  };

/** Never responds. */
export const neverRespond: Respond = () => {};

/** Closes the connection. */
export const closeConnection: Respond = (response) => {
  response.destroy();
};

/** Returns a code, which is also the access token, that encodes a user. */
export const codeFor = (profile: unknown, further: Omit<ProviderUser, "profile"> = {}): string =>
  Buffer.from(JSON.stringify({ profile, ...further })).toString("base64url");

const readCode = (code = ""): ProviderUser =>
  JSON.parse(Buffer.from(code, "base64url").toString()) as ProviderUser;

const bearerOf = ({ headers }: ProviderRequest) =>
  headers["authorization"]?.replace(/^Bearer /, "");

/** Responds with the user that the code or access token encodes. */
const defaultResponses: OAuthProvider["responses"] = {
  token: (response, request) => {
    const { code, refresh_token: refreshed } = request.parameters;
    const { tokens } = readCode(code ?? refreshed);
    const answer = { access_token: code ?? refreshed, token_type: "bearer", ...tokens };
    respondWith(answer)(response, request);
  },
  userInfo: (response, request) =>
    respondWith(readCode(bearerOf(request)).profile)(response, request),
  emails: (response, request) =>
    respondWith(readCode(bearerOf(request)).emails ?? [])(response, request),
};

const names = ["authorization", "token", "userInfo", "emails", "jwks", "revoke"] as const;

const createSigner = async (url: string) => {
  const kid = "key-of-the-test";
  const [own, forged, elliptic] = await Promise.all([
    generateKeyPair("RS256"),
    generateKeyPair("RS256"),
    generateKeyPair("ES256"),
  ]);
  const keys = [
    { ...(await exportJWK(own.publicKey)), kid, alg: "RS256", use: "sig" },
    { ...(await exportJWK(elliptic.publicKey)), kid: `${kid}-es`, alg: "ES256", use: "sig" },
  ];
  const sign: OAuthProvider["sign"] = (claims, { isForged = false, ...header } = {}) => {
    const alg = header.alg ?? "RS256";
    const key = alg === "ES256" ? elliptic.privateKey : (isForged ? forged : own).privateKey;
    return new SignJWT({ iss: url, ...claims })
      .setProtectedHeader({ kid: alg === "ES256" ? `${kid}-es` : kid, ...header, alg })
      .sign(key);
  };
  return { keys, sign };
};

export const startOAuthProvider = async (): Promise<OAuthProvider> => {
  const requests: ProviderRequest[] = [];
  const responses: OAuthProvider["responses"] = {};
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://provider");
    const endpoint = pathname.slice(1);
    text(request).then(
      (body) => {
        const form = new URLSearchParams(body);
        const headers = request.headers as Record<string, string>;
        const parameters = Object.fromEntries([...searchParams, ...form]);
        const received: ProviderRequest = {
          method: request.method ?? "",
          endpoint,
          headers,
          parameters,
        };
        requests.push(received);
        const respond =
          responses[endpoint as Endpoint] ?? respondWith({ message: "not here" }, 404);
        respond(response, received);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoints = Object.fromEntries(names.map((name) => [name, `${url}/${name}`]));
  const { keys, sign } = await createSigner(url);
  const reset = () => {
    requests.length = 0;
    Object.assign(responses, { authorization: undefined, revoke: undefined });
    Object.assign(responses, defaultResponses, { jwks: respondWith({ keys }) });
  };
  reset();
  return {
    url,
    endpoints: endpoints as OAuthProvider["endpoints"],
    requests,
    responses,
    sign,
    reset,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
