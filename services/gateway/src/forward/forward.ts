import {
  callerHeader,
  mailedLinkHeader,
  type MailedLinkQuestion,
  type Operation,
  type SessionEffect,
  sessionEffectHeader,
  urgentEventsHeader,
  userRevisionHeader,
} from "@latchkey/contracts";
import { type SecretRing } from "@latchkey/crypto";
import {
  readUrgentEvents,
  sendRequest,
  type ServicePool,
  signCaller,
  traceCall,
  type Tracing,
  type UnsignedCaller,
} from "@latchkey/service-kit";
import { readRevisions } from "../user-revisions/read-revisions.ts";
import type { UserRevisions } from "../user-revisions/user-revisions.ts";
import type { ApplyUrgentEvents } from "../events/apply-urgent-events.ts";

export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  /** Text is JSON. */
  body: Buffer | string;
  effect: SessionEffect | undefined;
  /** The confirmation of a mailed link. The response then has no body. */
  question?: MailedLinkQuestion | undefined;
}

export interface ForwardRequest {
  operation: Operation;
  /** Canonical, below the base path. */
  path: string;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  contentType: string | undefined;
  body: Buffer | undefined;
  caller: UnsignedCaller;
}

interface Needs {
  services: Readonly<Record<string, ServicePool>>;
  ring: SecretRing;
  clock: () => number;
  revisions: Pick<UserRevisions, "note">;
  applyUrgentEvents: ApplyUrgentEvents;
  tracing?: Tracing | undefined;
}

/** Headers of one connection, or internal ones. They are not sent to the client. */
const notPassed = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "date",
  "set-cookie",
  sessionEffectHeader,
  mailedLinkHeader,
  userRevisionHeader,
  urgentEventsHeader,
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

/** Decodes a header that a service wrote for the gateway. */
const readOwn = (header: string | string[] | undefined): unknown =>
  typeof header === "string" ? JSON.parse(Buffer.from(header, "base64url").toString()) : undefined;

/**
 * Sends a request to the operation's owner with its body unchanged and a signed caller. Before the client receives the response, the
 * gateway
 * records invalidated cached sessions, and other services apply the urgent events.
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
  for (const { userId, epoch } of readRevisions(answer.headers[userRevisionHeader]))
    deps.revisions.note(userId, epoch);
  const urgent = readUrgentEvents(answer.headers[urgentEventsHeader]);
  if (urgent.length > 0) await deps.applyUrgentEvents(urgent, request.caller.requestId);
  return {
    status: answer.status,
    headers: passedHeaders(answer.headers),
    body: answer.body,
    effect: readOwn(answer.headers[sessionEffectHeader]) as SessionEffect | undefined,
    question: readOwn(answer.headers[mailedLinkHeader]) as MailedLinkQuestion | undefined,
  };
};
