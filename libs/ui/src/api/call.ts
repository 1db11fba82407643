import type {
  Operation,
  OperationReply,
  ownSessionHeader,
  sdkVersionHeader,
  Wire,
} from "@latchkey/contracts";
import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import { errorBodyOf } from "./error-body-of.ts";
import { pageFacts } from "../page-facts.ts";
import { operationUrl, type QueryValue, type UrlValue } from "./operation-url.ts";

type Sent<Part extends string, S> = S extends z.ZodType
  ? Partial<z.input<S>> extends z.input<S>
    ? { [K in Part]?: z.input<S> }
    : { [K in Part]: z.input<S> }
  : unknown;

type PartOf<O, Part extends string> = O extends { readonly [K in Part]: infer S }
  ? Sent<Part, S>
  : unknown;

/** The input of an operation: params, query and body, each only if the operation has it. */
export type CallInput<O extends Operation> = PartOf<O, "params"> &
  PartOf<O, "query"> &
  PartOf<O, "body">;

/** The reply of an operation as parsed from JSON. */
export type CallReply<O extends Operation> = Wire<OperationReply<O>>;

interface Parts {
  params?: Record<string, UrlValue>;
  query?: Record<string, QueryValue>;
  body?: unknown;
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

/** Parses JSON. Returns undefined if the text is not JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const seconds = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

const refusalOf = ({ response: { status, headers }, text }: Answer): ApiError =>
  new ApiError({
    status,
    body: errorBodyOf(parse(text)),
    retryAfterSeconds: seconds(headers.get("retry-after")),
    requestId: headers.get("x-request-id") ?? undefined,
  });

const send = async (url: string, init: RequestInit): Promise<Answer> => {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError({ status: 0, cause });
  }
};

const ownSession: typeof ownSessionHeader = "x-latchkey-session";
const sdkVersion: typeof sdkVersionHeader = "x-sdk-version";

interface CallOptions {
  signal?: AbortSignal | undefined;
  headers: Record<string, string>;
}

type HeadersOf = (operation: Operation) => Promise<Record<string, string>>;

let addedHeaders: HeadersOf | undefined;

/** Sets what provides further headers of each call, such as the response to a captcha. It may reject a call before it is sent. */
export const addHeaders = (headersOf: HeadersOf): void => {
  addedHeaders = headersOf;
};

const callWith = async <O extends Operation>(
  operation: O,
  input: CallInput<O>,
  { signal, headers }: CallOptions,
): Promise<CallReply<O>> => {
  const { params, query, body } = input as Parts;
  const isPost = operation.method === "POST";
  const added = await addedHeaders?.(operation);
  const answer = await send(pageFacts.basePath + operationUrl(operation.path, params, query), {
    method: operation.method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      // The webs match on the codes of 1.2, whichever version the applications of the installation expect.
      [sdkVersion]: "1.2",
      ...headers,
      ...added,
      ...(isPost && { "content-type": "application/json" }),
    },
    ...(isPost && { body: JSON.stringify(body ?? {}) }),
    signal: signal ?? null,
  });
  const reply = answer.response.ok ? parse(answer.text) : undefined;
  if (reply === undefined) throw refusalOf(answer);
  return reply as CallReply<O>;
};

/** The admin web acts in the admin's own session, also while this browser impersonates a user. So do the pages that it opens. */
const sessionHeaders = (): Record<string, string> =>
  pageFacts.web === "admin" || new URLSearchParams(location.search).get("session") === "own"
    ? { [ownSession]: "own" }
    : {};

/**
 * Calls an operation in the session of this web. Throws an `ApiError` if the call is refused, if no reply arrives, or if the reply is not
 * JSON, since every operation of Latchkey replies with JSON.
 */
export const call = <O extends Operation>(
  operation: O,
  input: CallInput<O>,
  signal?: AbortSignal,
): Promise<CallReply<O>> => callWith(operation, input, { signal, headers: sessionHeaders() });

/** Calls an operation in the admin's own session, which an impersonation keeps aside. */
export const callAsAdmin = <O extends Operation>(
  operation: O,
  input: CallInput<O>,
  signal?: AbortSignal,
): Promise<CallReply<O>> =>
  callWith(operation, input, { signal, headers: { [ownSession]: "own" } });

/** Calls an operation in the session of the browser, which is that of the user during an impersonation. */
export const callAsBrowser = <O extends Operation>(
  operation: O,
  input: CallInput<O>,
  signal?: AbortSignal,
): Promise<CallReply<O>> => callWith(operation, input, { signal, headers: {} });
