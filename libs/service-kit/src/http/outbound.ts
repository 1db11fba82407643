import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import { type BoundedAnswer, exchangeBounded } from "./bounded-exchange.ts";
import { OutboundError } from "./outbound-error.ts";
import { hostnameOf, readPrivateHosts, readTarget } from "./outbound-target.ts";
import { isPrivateAddress } from "./private-address.ts";

const decoders = {
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

const isDecodable = (encoding: string): encoding is keyof typeof decoders =>
  Object.hasOwn(decoders, encoding);

/** These statuses have no body, and `Response` rejects one. */
const bodilessStatuses = new Set([204, 205, 304]);

const isTooLarge = (error: unknown): boolean =>
  (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";

/**
 * Decodes a body, because some servers always send compressed files. Stops at the size limit, which also stops decompression
 * bombs.
 */
const decode = (body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> | Buffer => {
  if (encoding === "identity" || body.length === 0) return body;
  if (!isDecodable(encoding)) throw new Error("an unknown encoding");
  return decoders[encoding](body, { maxOutputLength: bytesMax });
};

const readHeaders = (answered: BoundedAnswer["headers"]): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answered))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
};

const build = async (answer: BoundedAnswer, bytesMax: number): Promise<Response> => {
  const { status } = answer;
  const headers = readHeaders(answer.headers);
  if (bodilessStatuses.has(status)) return new Response(null, { status, headers });
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const body = await decode(answer.body, encoding, bytesMax);
  // They describe the encoded body.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(new Uint8Array(body), { status, headers });
};

/** Converts a reply to a `Response`. An invalid one, such as with status 999, is `no connection`. */
const readResponse = async (
  answer: BoundedAnswer,
  { origin, bytesMax }: { origin: string; bytesMax: number },
): Promise<Response> => {
  try {
    return await build(answer, bytesMax);
  } catch (error) {
    if (isTooLarge(error)) throw new OutboundError("too large", origin);
    throw new OutboundError("no connection", origin, "unreadable answer");
  }
};

/**
 * Resolves a name for a new connection, and fails if any of the addresses is private. A separate look-up before the connection
 * would be open to DNS rebinding.
 */
export const guardLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      // With `all`, the result is a list.
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
        return callback(new OutboundError("not allowed", hostname, "a private address"), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

/** Client for external servers. */
export interface Outbound {
  /**
   * Returns one reply with its whole body. Never follows a redirect. Rejects with an `OutboundError`, or with the reason of the
   * caller's signal.
   */
  fetch: (url: string | URL, init?: OutboundInit) => Promise<Response>;
  /**
   * Sends a request under the same rules, and returns the reply without decoding its body. Of a larger body, the first `answerBytesMax` bytes
   * are kept.
   */
  send: (url: string | URL, init?: OutboundInit) => Promise<BoundedAnswer>;
  /** Returns whether the rules allow a URL, as far as that is known without a look-up. */
  allows: (url: string) => boolean;
  /** Returns whether a URL's host is one of the private hosts. */
  isPrivate: (url: URL) => boolean;
  /** Ends running calls. */
  close: () => Promise<void>;
}

export interface OutboundInit {
  method?: "GET" | "POST";
  headers?: Headers | Record<string, string>;
  /** Search parameters are sent as a form unless a content type is given. */
  body?: string | URLSearchParams | undefined;
  signal?: AbortSignal | undefined;
}

export interface OutboundOptions {
  /** Names and addresses, without port or brackets, that may be private and may use plain http. */
  privateHosts: readonly string[];
  /** Deadline of a whole call, from the DNS look-up to the last byte. Default 10,000. */
  deadlineMilliseconds?: number;
  /** Maximum size of a body, also after decompression. Default 1 MiB. */
  answerBytesMax?: number;
  /** Maximum number of connections to one origin. Default 32. */
  connectionsMax?: number;
  userAgent?: string;
  /** Resolves names. Default: the system's resolver. */
  lookup?: LookupFunction;
}

/** Enough for the next step of the same sign-in. Servers cannot extend it. */
const keepAliveMilliseconds = 2_000;

type AgentBounds = Pick<OutboundOptions, "connectionsMax" | "deadlineMilliseconds">;

const createAgent = (
  privateHosts: ReadonlySet<string>,
  lookup: LookupFunction,
  { deadlineMilliseconds, connectionsMax }: Required<AgentBounds>,
): Agent => {
  const connection = { timeout: deadlineMilliseconds, allowH2: false };
  const connectAnywhere = buildConnector({ ...connection, lookup });
  const connectPublicly = buildConnector({ ...connection, lookup: guardLookup(lookup) });
  return new Agent({
    connections: connectionsMax,
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: keepAliveMilliseconds,
    connect: (target, connected) => {
      const connect = privateHosts.has(target.hostname) ? connectAnywhere : connectPublicly;
      connect(target, connected);
    },
  });
};

const formType = "application/x-www-form-urlencoded;charset=UTF-8";

const writeHeaders = (
  { headers: given, body }: OutboundInit,
  origin: string,
  userAgent: string,
): Record<string, string> => {
  let headers: Headers;
  try {
    headers = new Headers(given);
  } catch {
    // The original error quotes the value, which may be a credential.
    throw new OutboundError("not allowed", origin, "an invalid header");
  }
  // The TLS server name would follow this header.
  headers.delete("host");
  headers.set("accept-encoding", "identity");
  if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
  if (body instanceof URLSearchParams && !headers.has("content-type"))
    headers.set("content-type", formType);
  return Object.fromEntries(headers);
};

/**
 * Creates a client for external servers, whose addresses may come from an attacker. It follows no redirects, and limits all waits
 * and replies. Only `privateHosts` may use http or have an address of our own network.
 */
export const createOutbound = (options: OutboundOptions): Outbound => {
  const {
    deadlineMilliseconds = 10_000,
    answerBytesMax: bytesMax = 1024 * 1024,
    connectionsMax = 32,
    userAgent = "latchkey",
    lookup = systemLookup,
  } = options;
  const privateHosts = readPrivateHosts(options.privateHosts);
  const agent = createAgent(privateHosts, lookup, { deadlineMilliseconds, connectionsMax });
  const exchange = async (address: string | URL, init: OutboundInit, keepsStart: boolean) => {
    const { method = "GET", body, signal } = init;
    const { origin, pathname, search } = readTarget(address, privateHosts);
    const request = {
      origin,
      method,
      path: pathname + search,
      headers: writeHeaders(init, origin, userAgent),
      body: body?.toString() ?? null,
    };
    const bounds = { deadlineMilliseconds, bytesMax, keepsStart, signal };
    return { origin, answer: await exchangeBounded(agent, request, bounds) };
  };
  return {
    fetch: async (address, init = {}) => {
      const { origin, answer } = await exchange(address, init, false);
      return readResponse(answer, { origin, bytesMax });
    },
    send: async (address, init = {}) => (await exchange(address, init, true)).answer,
    allows: (url) => {
      try {
        return Boolean(readTarget(url, privateHosts));
      } catch {
        return false;
      }
    },
    isPrivate: (url) => privateHosts.has(hostnameOf(url)),
    close: () => agent.destroy(),
  };
};
