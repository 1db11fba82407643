import type { Dispatcher, Pool } from "undici";

export interface SentAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Codes of a connection that was lost or never made, so that no answer can come any more. */
const lostConnections = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const isConnectionLost = (error: unknown): boolean =>
  lostConnections.has(String((error as { code?: unknown }).code));

/** Longest wait for a whole answer, a free connection included. */
const answerMilliseconds = 15_000;

const tooLate = () =>
  Object.assign(new Error("no answer in time"), { code: "UND_ERR_HEADERS_TIMEOUT" });

export interface SendOptions {
  /** Whether sending it twice does no harm. */
  repeatable: boolean;
  /** Gives up waiting. */
  signal?: AbortSignal | undefined;
}

/** By undici's dispatch: a stream for each of these small answers would cost more than the rest of the exchange. */
const sendOnce = (
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<SentAnswer> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: SentAnswer["headers"] = {};
    let exchange: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const giveUp = (reason: Error) => {
      settle();
      givenUp = reason;
      exchange?.abort(reason);
      reject(reason);
    };
    const onAbort = () => giveUp(signal?.reason as Error);
    const timer = setTimeout(() => giveUp(tooLate()), answerMilliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        exchange = controller;
        if (givenUp) controller.abort(givenUp);
      },
      onResponseStart: (_controller, statusCode, received) => {
        status = statusCode;
        headers = received;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        settle();
        const [only, ...more] = chunks;
        const body = only && more.length === 0 ? only : Buffer.concat(chunks);
        resolve({ status, headers, body });
      },
      onResponseError: (_controller, error) => {
        settle();
        reject(error);
      },
    });
  });

/**
 * Sends a request to a service and waits fifteen seconds at most for its answer. One that is `repeatable` is sent once more when the
 * connection broke; any other may have been carried out, so its failure is the caller's to see.
 */
export const sendRequest = async (
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { repeatable, signal }: SendOptions,
): Promise<SentAnswer> => {
  try {
    return await sendOnce(pool, request, signal);
  } catch (error) {
    if (!repeatable || !isConnectionLost(error)) throw error;
    return sendOnce(pool, request, signal);
  }
};
