import {
  type Caller,
  callerHeader,
  type Operation,
  type SessionEffect,
  sessionEffectHeader,
} from "@latchkey/contracts";
import { type SecretRing } from "@latchkey/crypto";
import { isConnectionLost, signCaller } from "@latchkey/service-kit";
import type { Dispatcher, Pool } from "undici";

export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  effect: SessionEffect | undefined;
}

export interface ForwardRequest {
  operation: Operation;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  contentType: string | undefined;
  body: Buffer | undefined;
  caller: Caller;
}

interface Needs {
  services: Readonly<Record<string, Pool>>;
  ring: SecretRing;
  clock: () => number;
}

/** Headers of one connection, or for ourselves; they do not go on to the client. */
const notPassed = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "date",
  "set-cookie",
  sessionEffectHeader,
  callerHeader,
]);

const passedHeaders = (headers: Record<string, string | string[] | undefined>) => {
  const passed: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !notPassed.has(name)) passed[name] = value;
  }
  return passed;
};

const effectOf = (header: string | string[] | undefined): SessionEffect | undefined =>
  typeof header === "string"
    ? (JSON.parse(Buffer.from(header, "base64url").toString()) as SessionEffect)
    : undefined;

const send = async (pool: Pool, options: Dispatcher.RequestOptions): Promise<Forwarded> => {
  const { statusCode, headers, body } = await pool.request(options);
  return {
    status: statusCode,
    headers: passedHeaders(headers),
    body: Buffer.from(await body.arrayBuffer()),
    effect: effectOf(headers[sessionEffectHeader]),
  };
};

/**
 * Sends a request on to the operation's owner, body untouched. A repeatable one is sent once more when the connection
 * broke before an answer; any other may have been carried out, so its failure is the client's to see.
 */
export const forward = async (deps: Needs, request: ForwardRequest): Promise<Forwarded> => {
  const { operation, body, contentType } = request;
  const pool = deps.services[operation.owner];
  if (!pool) throw new TypeError(`no service owns ${operation.name}`);
  const headers: Record<string, string> = {
    [callerHeader]: signCaller(deps.ring, request.caller, deps.clock()),
  };
  if (body && contentType !== undefined) headers["content-type"] = contentType;
  const options: Dispatcher.RequestOptions = {
    method: operation.method,
    path: operation.path + request.search,
    headers,
    body: body ?? null,
  };
  try {
    return await send(pool, options);
  } catch (error) {
    if (!operation.repeatable || !isConnectionLost(error)) throw error;
    return send(pool, options);
  }
};
