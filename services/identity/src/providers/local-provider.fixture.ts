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
  /** Of the URL of a GET, of the form of a POST, or of the JSON object that it sent. */
  parameters: Record<string, string>;
}

type Respond = (seen: Seen, response: ServerResponse) => GivenAnswer | undefined;

export interface LocalProvider {
  base: string;
  /** All that came, but for questions for keys. */
  seen: Seen[];
  /** How often its keys were asked for. */
  keyRequestsCount: number;
  /** Decides on an answer; undefined where it writes one itself, or leaves the client waiting. */
  respond: Respond;
  /** What is answered to a question for keys in place of them; "none" leaves who asks waiting. */
  keysAnswer: GivenAnswer | "none" | undefined;
  /** An id token of the claims as they are: with a published key, or with the secret for HS256. */
  sign: (
    claims: JWTPayload,
    signature?: { alg?: string; kid?: string; secret?: string },
  ) => Promise<string>;
  /** Its keys, as they are published. */
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

/** A provider of sign-ins on this machine, at whose every endpoint the test decides what is answered. */
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
