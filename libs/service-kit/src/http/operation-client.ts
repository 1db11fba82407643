import {
  callerHeader,
  type ErrorBody,
  type ErrorCode,
  errorCatalogue,
  type Operation,
  type OperationReply,
  type OperationRequest,
  type Wire,
  wireCode,
  WireError,
} from "@latchkey/contracts";
import type { Tracing } from "../observe/tracing.ts";
import { type SentAnswer, sendRequest } from "./send-request.ts";
import type { ServicePool } from "./service-pool.ts";
import { traceCall } from "./trace-call.ts";

/** Credential for internal operations: a service token, or a signed caller that names the service. */
export type Credential = { serviceToken: string } | { signFor: (operation: Operation) => string };

export type OperationClientOptions = {
  pool: ServicePool;
  tracing?: Tracing | undefined;
} & Credential;

/** Calls internal operations by their contracts. */
export interface OperationClient {
  /** Returns the reply. Throws the operation's `WireError`, or an `Error` for a reply outside the catalogue. */
  call<O extends Operation>(
    operation: O,
    request: OperationRequest<O>,
    options?: { signal?: AbortSignal },
  ): Promise<Wire<OperationReply<O>>>;
}

const codeOf = new Map<string, ErrorCode>(
  (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [wireCode(code), code]),
);

/** Parses whole seconds, the only form that our services send. */
const retryAfterOf = ({ headers }: SentAnswer): { retryAfterSeconds?: number } => {
  const seconds = headers["retry-after"];
  return typeof seconds === "string" && /^\d{1,9}$/.test(seconds)
    ? { retryAfterSeconds: Number(seconds) }
    : {};
};

const errorOf = (operation: Operation, answer: SentAnswer): Error => {
  const { status } = answer;
  const text = answer.body.toString();
  const { code, message, details } = (
    text.startsWith("{") ? JSON.parse(text) : {}
  ) as Partial<ErrorBody>;
  const declaredCode = code === undefined ? undefined : codeOf.get(code);
  if (!declaredCode) return new Error(`${operation.name} answered ${status}`);
  return new WireError(declaredCode, {
    status,
    ...(message ? { message } : {}),
    ...(details ? { details } : {}),
    ...retryAfterOf(answer),
  });
};

const searchOf = (query: object | undefined): string => {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? "" : `?${search.toString()}`;
};

const credentialOf = (
  options: OperationClientOptions,
  operation: Operation,
): Record<string, string> =>
  "serviceToken" in options
    ? { authorization: `Bearer ${options.serviceToken}` }
    : { [callerHeader]: options.signFor(operation) };

/** Creates a typed client of one service's internal operations. */
export const createOperationClient = (options: OperationClientOptions): OperationClient => ({
  call: async (operation, { query, body }, { signal } = {}) => {
    const { pool, tracing } = options;
    const headers = credentialOf(options, operation);
    if (body) headers["content-type"] = "application/json";
    const request = {
      method: operation.method,
      path: `/internal${operation.path}${searchOf(query)}`,
      headers,
      body: body ? JSON.stringify(body) : null,
    };
    const { repeatable = false, waitsForChange } = operation;
    const send = () => sendRequest(pool, request, { repeatable, waitsForChange, signal });
    const answer = await (tracing ? traceCall(tracing, { operation, headers }, send) : send());
    if (answer.status !== 200) throw errorOf(operation, answer);
    return JSON.parse(answer.body.toString()) as never; // written by the owner's serializer
  },
});
