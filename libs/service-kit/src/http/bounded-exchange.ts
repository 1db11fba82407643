import type { Dispatcher } from "undici";
import { OutboundError, type OutboundFailure } from "./outbound-error.ts";

export interface BoundedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface ExchangeBounds {
  /** For all of it: the look-up, a free connection, the request and the whole answer. */
  deadlineMilliseconds: number;
  bytesMax: number;
  /** Gives up waiting, with its own reason. */
  signal: AbortSignal | undefined;
}

const reasons: Readonly<Record<string, OutboundFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: "deadline",
  UND_ERR_HEADERS_OVERFLOW: "too large",
};

/** The code alone: the rest of a driver's error may quote the answer. */
const failureOf = (error: Error, origin: string): OutboundError => {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const detail = typeof code === "string" ? code : error.name;
  return new OutboundError(reasons[detail] ?? "no connection", origin, detail);
};

/**
 * Sends a request and reads its answer whole, within bounds. By undici's dispatch: its `request` would give up only once there is a
 * connection, and a look-up that hangs makes none.
 */
export const exchangeBounded = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions & { origin: string },
  { deadlineMilliseconds, bytesMax, signal }: ExchangeBounds,
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
        bytesCount += chunk.length;
        if (bytesCount > bytesMax) giveUp(new OutboundError("too large", origin));
        else chunks.push(chunk);
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
