import {
  type Caller,
  callerHeader,
  type Operation,
  type SessionEffect,
  sessionEffectHeader,
  userEpochHeader,
} from "@latchkey/contracts";
import { type SecretRing } from "@latchkey/crypto";
import {
  sendRequest,
  type ServicePool,
  signCaller,
  traceCall,
  type Tracing,
} from "@latchkey/service-kit";
import { readEpochs } from "../epochs/read-epochs.ts";
import type { UserEpochs } from "../epochs/user-epochs.ts";

export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  effect: SessionEffect | undefined;
}

export interface ForwardRequest {
  operation: Operation;
  /** Canonical, below the base path. */
  path: string;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  contentType: string | undefined;
  body: Buffer | undefined;
  caller: Caller;
}

interface Needs {
  services: Readonly<Record<string, ServicePool>>;
  ring: SecretRing;
  clock: () => number;
  epochs: Pick<UserEpochs, "note">;
  tracing?: Tracing | undefined;
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
  userEpochHeader,
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

/**
 * Sends a request on to the operation's owner, body untouched, with the caller vouched for. What it ended of cached
 * sessions is known here before its client hears of it.
 */
export const forward = async (deps: Needs, request: ForwardRequest): Promise<Forwarded> => {
  const { operation, body, contentType } = request;
  const pool = deps.services[operation.owner];
  if (!pool) throw new TypeError(`no service owns ${operation.name}`);
  const headers: Record<string, string> = {
    [callerHeader]: signCaller(deps.ring, request.caller, deps.clock()),
    "x-request-id": request.caller.requestId,
  };
  if (body && contentType !== undefined) headers["content-type"] = contentType;
  const sent = {
    method: operation.method,
    path: request.path + request.search,
    headers,
    body: body ?? null,
  };
  const send = () => sendRequest(pool, sent, { repeatable: operation.repeatable ?? false });
  const { tracing } = deps;
  const answer = await (tracing ? traceCall(tracing, { operation, headers }, send) : send());
  for (const { userId, epoch } of readEpochs(answer.headers[userEpochHeader]))
    deps.epochs.note(userId, epoch);
  return {
    status: answer.status,
    headers: passedHeaders(answer.headers),
    body: answer.body,
    effect: effectOf(answer.headers[sessionEffectHeader]),
  };
};
