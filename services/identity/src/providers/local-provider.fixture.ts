import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import type { GivenAnswer } from "./expectation.fixture.ts";

/** A request as it came over the wire. */
export interface Seen {
  /** The last part of the path. */
  endpoint: string;
  method: string;
  headers: Record<string, string>;
  /** From the URL of a GET, the form of a POST, or the JSON object in its body. */
  parameters: Record<string, string>;
}

type Respond = (seen: Seen, response: ServerResponse) => GivenAnswer | undefined;

export interface LocalProvider {
  base: string;
  /** All requests except those for keys. */
  seen: Seen[];
  /** Number of requests for its keys. */
  keyRequestsCount: number;
  /** Returns the response. Undefined if it writes one itself, or leaves the client waiting. */
  respond: Respond;
  /** Replaces the response to a request for keys. "none" sends no response. */
  keysAnswer: GivenAnswer | "none" | undefined;
  /** Signs an id token with exactly these claims: with a published key, or with the secret for HS256. */
  sign: (
    claims: JWTPayload,
    signature?: { alg?: string; kid?: string; secret?: string },
  ) => Promise<string>;
  /** Its published keys. */
  keys: JWK[];
  close: () => Promise<void>;
}

const readParameters = (request: IncomingMessage, url: URL, body: string) => {
  if (request.method !== "POST") return Object.fromEntries(url.searchParams);
  if (!request.headers["content-type"]?.startsWith("application/json"))
    return Object.fromEntries(new URLSearchParams(body));
  return JSON.parse(body) as Record<string, string>;
};

const write = (response: ServerResponse, { status = 200, type, body }: GivenAnswer): void => {
  response.writeHead(status, { "content-type": type ?? "application/json" });
  response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
};

const createKeys = async () => {
  const [rs256, es256] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("ES256")]);
  const published = await Promise.all(
    Object.entries({ RS256: rs256, ES256: es256 }).map(async ([alg, { publicKey }]) =>
      Object.assign(await exportJWK(publicKey), { alg, kid: `key-${alg}`, use: "sig" }),
    ),
  );
  const privateKeys: Record<string, CryptoKey> = {
    RS256: rs256.privateKey,
    ES256: es256.privateKey,
  };
  return { published, privateKeys };
};

const keys = createKeys();

/** A sign-in provider on this machine. The test controls the response of every endpoint. */
export const createLocalProvider = async (): Promise<LocalProvider> => {
  const { published, privateKeys } = await keys;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? "", local.base);
      const endpoint = url.pathname.split("/").at(-1) ?? "";
      if (endpoint === "jwks") {
        local.keyRequestsCount += 1;
        const { keysAnswer = { body: { keys: published } } } = local;
        return keysAnswer === "none" ? undefined : write(response, keysAnswer);
      }
      const seen: Seen = {
        endpoint,
        method: request.method ?? "",
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        parameters: readParameters(request, url, body),
      };
      local.seen.push(seen);
      const answer = local.respond(seen, response);
      return answer && write(response, answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const local: LocalProvider = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    keyRequestsCount: 0,
    respond: () => ({ status: 404, body: {} }),
    keysAnswer: undefined,
    sign: (claims, { alg = "RS256", kid = `key-${alg}`, secret } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid })
        .sign(secret === undefined ? privateKeys[alg]! : new TextEncoder().encode(secret)),
    keys: published,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
  return local;
};
