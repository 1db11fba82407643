import type { Dispatcher } from "undici";
import type { Replica, ServicePool } from "./service-pool.ts";
import { isUnavailable } from "./unavailable.ts";

export interface SentAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Codes of a connection that was lost or never made, so that no reply can follow. */
const lostConnections = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const isConnectionLost = (error: unknown): boolean =>
  lostConnections.has(String((error as { code?: unknown }).code));

/** Maximum wait for a whole reply, including the wait for a free connection. */
const answerMilliseconds = 15_000;

/** A replica that is silent for this time may be stopped or cut off. It gets no requests while another is available. */
const silenceMilliseconds = 3_000;

/** Larger than any operation's reply. A server at a wrong address may reply endlessly. */
const answerBytesMax = 64 * 1024 * 1024;

const tooLate = () =>
  Object.assign(new Error("no answer in time"), { code: "UND_ERR_HEADERS_TIMEOUT" });

/** A failed request counts as pending for this time. Otherwise a replica that fails at once would get nearly all requests. */
const failedMilliseconds = 1_000;

export interface SendOptions {
  /** Whether the request may safely be sent twice. */
  repeatable: boolean;
  /** Whether the reply may wait for a change, so that the request is no load. */
  waitsForChange?: boolean | undefined;
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
}

interface Attempt {
  pool: ServicePool;
  replica: Replica;
  deadline: number;
  signal: AbortSignal | undefined;
  /** Whether it failed before any byte was sent. */
  isUnsent: boolean;
}

/** Uses undici's `dispatch`, because a stream per small reply would cost more than the rest of the exchange. */
const sendOnce = (request: Dispatcher.DispatchOptions, attempt: Attempt): Promise<SentAnswer> =>
  new Promise((resolve, reject) => {
    const { pool, replica, deadline, signal } = attempt;
    signal?.throwIfAborted();
    const chunks: Buffer[] = [];
    let bytesCount = 0;
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
    let timer = setTimeout(
      () => {
        pool.rest(replica, "silent");
        timer = setTimeout(() => giveUp(tooLate()), deadline - performance.now());
      },
      Math.min(silenceMilliseconds * pool.timeLimitFactor, deadline - performance.now()),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    replica.connections.dispatch(request, {
      // Called when there is a connection, before anything is written to it.
      onRequestStart: (controller) => {
        exchange = controller;
        if (givenUp) controller.abort(givenUp);
      },
      onResponseStart: (_controller, statusCode, received) => {
        status = statusCode;
        headers = received;
      },
      onResponseData: (_controller, chunk) => {
        bytesCount += chunk.length;
        if (bytesCount > answerBytesMax) giveUp(new Error("the reply is too large"));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        settle();
        const [only, ...more] = chunks;
        const body = only && more.length === 0 ? only : Buffer.concat(chunks);
        resolve({ status, headers, body });
      },
      onResponseError: (_controller, error) => {
        settle();
        attempt.isUnsent = !exchange && !givenUp && isUnavailable(error);
        reject(error);
      },
    });
  });

/** Ends the count of a request as pending. */
const release = (replica: Replica, load: number, hasFailed: boolean): void => {
  const end = () => {
    replica.pending -= load;
  };
  if (hasFailed) setTimeout(end, failedMilliseconds).unref();
  else end();
};

/**
 * Sends a request to a service and waits up to fifteen seconds, times the factor of the pool, for its reply. An unsent request is tried once at each other
 * replica. A sent one is repeated once after a broken connection if it is `repeatable`. Otherwise it may have been executed, so
 * the caller gets the failure.
 */
export const sendRequest = async (
  pool: ServicePool,
  request: Dispatcher.DispatchOptions,
  { repeatable, waitsForChange, signal }: SendOptions,
): Promise<SentAnswer> => {
  const deadline = performance.now() + answerMilliseconds * pool.timeLimitFactor;
  const load = waitsForChange ? 0 : 1;
  const tried: Replica[] = [];
  let mayRepeat = repeatable;
  let replica = pool.next();
  while (replica) {
    const attempt: Attempt = { pool, replica, deadline, signal, isUnsent: false };
    attempt.replica.pending += load;
    let hasFailed = false;
    try {
      const answer = await sendOnce(request, attempt);
      hasFailed = answer.status === 503;
      pool.note(replica, answer.headers["connection"] === "close");
      return answer;
    } catch (error) {
      hasFailed = signal?.aborted !== true;
      if (attempt.isUnsent) {
        pool.rest(replica, "unreached");
        tried.push(replica);
      }
      replica = attempt.isUnsent ? pool.next(tried) : undefined;
      if (replica) continue;
      if (!mayRepeat || !isConnectionLost(error)) throw error;
      mayRepeat = false;
      replica = pool.next([attempt.replica]) ?? attempt.replica;
    } finally {
      release(attempt.replica, load, hasFailed);
    }
  }
  throw new TypeError("a service needs an address");
};
