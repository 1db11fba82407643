import type { Dispatcher } from "undici";
import { OutboundError, type OutboundFailure } from "./outbound-error.ts";

export interface BoundedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface ExchangeBounds {
  /** Covers the DNS look-up, a free connection, the request and the whole reply. */
  deadlineMilliseconds: number;
  bytesMax: number;
  /** Keeps the first bytes of a larger reply and closes the connection, instead of failing. */
  keepsStart?: boolean;
  /** Aborts the exchange with the signal's reason. */
  signal: AbortSignal | undefined;
}

const reasons: Readonly<Record<string, OutboundFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: "deadline",
  UND_ERR_HEADERS_OVERFLOW: "too large",
};

/** Keeps only the code, because the rest of a driver's error may quote the reply. */
const failureOf = (error: Error, origin: string): OutboundError => {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const detail = typeof code === "string" ? code : error.name;
  return new OutboundError(reasons[detail] ?? "no connection", origin, detail);
};

/**
 * Sends a request and reads the whole reply within bounds. Uses undici's `dispatch`, because its `request` cannot be aborted
 * before there is a connection, and a hanging look-up makes none.
 */
export const exchangeBounded = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions & { origin: string },
  { deadlineMilliseconds, bytesMax, keepsStart = false, signal }: ExchangeBounds,
): Promise<BoundedAnswer> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const { origin } = request;
    const chunks: Buffer[] = [];
    let bytesCount = 0;
    let start: Omit<BoundedAnswer, "body"> = { status: 0, headers: {} };
    let exchange: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const giveUp = (reason: Error) => {
      settle();
      givenUp = reason;
      reject(reason);
      exchange?.abort(reason);
    };
    const cut = (rest: Buffer) => {
      settle();
      resolve({ ...start, body: Buffer.concat([...chunks, rest]) });
      givenUp = new OutboundError("too large", origin);
      exchange?.abort(givenUp);
    };
    const onAbort = () => giveUp(signal?.reason as Error);
    const onDeadline = () => giveUp(new OutboundError("deadline", origin));
    const timer = setTimeout(onDeadline, deadlineMilliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        exchange = controller;
        if (givenUp) controller.abort(givenUp);
      },
      onResponseStart: (_controller, status, headers) => {
        start = { status, headers };
      },
      onResponseData: (_controller, chunk) => {
        const room = bytesMax - bytesCount;
        bytesCount += chunk.length;
        if (chunk.length <= room) chunks.push(chunk);
        else if (keepsStart) cut(chunk.subarray(0, Math.max(0, room)));
        else giveUp(new OutboundError("too large", origin));
      },
      onResponseEnd: () => {
        settle();
        resolve({ ...start, body: Buffer.concat(chunks) });
      },
      onResponseError: (_controller, error) => {
        settle();
        reject(failureOf(error, origin));
      },
    });
  });
