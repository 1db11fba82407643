import {
  callerHeader,
  mailedLinkHeader,
  newSdkCodeHeader,
  type MailedLinkQuestion,
  type Operation,
  type SessionEffect,
  sessionEffectHeader,
  urgentEventsHeader,
  userRevisionHeader,
} from "@latchkey/contracts";
import { type SecretRing } from "@latchkey/crypto";
import { readUrgentEvents } from "@latchkey/service-kit/events";
import {
  sendRequest,
  type ServicePool,
  signCaller,
  traceCall,
  type UnsignedCaller,
} from "@latchkey/service-kit/http";
import type { Tracing } from "@latchkey/service-kit/observe";
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
  /** The code of an error for the SDK 1.7, if it differs. */
  newSdkCode?: string | undefined;
}

export interface ForwardRequest {
  operation: Operation;
  /** Canonical, below the base path. */
  path: string;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  /** The same, parsed. */
  query: unknown;
  contentType: string | undefined;
  body: Buffer | undefined;
  /** Further headers that the owner reads. */
  headers?: Readonly<Record<string, string>>;
  caller: UnsignedCaller;
}

/** The dependencies for receiving an answer. */
export interface ReceiveNeeds {
  revisions: Pick<UserRevisions, "note">;
  applyUrgentEvents: ApplyUrgentEvents;
}

interface Needs extends ReceiveNeeds {
  services: Readonly<Record<string, ServicePool>>;
  ring: SecretRing;
  clock: () => number;
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
  newSdkCodeHeader,
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

/** An owner's answer to a request. */
interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer | string;
}

/** Before the client receives an answer, records invalidated cached sessions, and has other services apply the urgent events. */
export const receive = async (
  deps: ReceiveNeeds,
  { requestId }: Pick<UnsignedCaller, "requestId">,
  { status, headers, body }: Received,
): Promise<Forwarded> => {
  for (const { userId, epoch } of readRevisions(headers[userRevisionHeader]))
    deps.revisions.note(userId, epoch);
  const urgent = readUrgentEvents(headers[urgentEventsHeader]);
  const newSdkCode = headers[newSdkCodeHeader];
  if (urgent.length > 0) await deps.applyUrgentEvents(urgent, requestId);
  return {
    status,
    headers: passedHeaders(headers),
    body,
    effect: readOwn(headers[sessionEffectHeader]) as SessionEffect | undefined,
    question: readOwn(headers[mailedLinkHeader]) as MailedLinkQuestion | undefined,
    ...(typeof newSdkCode === "string" && { newSdkCode }),
  };
};

/** Sends a request to the operation's owner with its body unchanged and a signed caller. */
export const forward = async (deps: Needs, request: ForwardRequest): Promise<Forwarded> => {
  const { operation, body, contentType, caller } = request;
  const pool = deps.services[operation.owner];
  if (!pool) throw new TypeError(`no service owns ${operation.name}`);
  const headers: Record<string, string> = {
    ...request.headers,
    [callerHeader]: signCaller(deps.ring, caller, deps.clock()),
    "x-request-id": caller.requestId,
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
  return receive(deps, caller, answer);
};
