import { LatchkeyError } from "../latchkey-error.ts";
import { readText } from "./read-text.ts";
import { readRetryAfter } from "./retry-after.ts";
import { withDeadline } from "./with-deadline.ts";

/** A request that may be repeated, with its deadline for all tries together. */
export interface JsonRequest {
  address: string;
  headers: Readonly<Record<string, string>>;
  /** Makes it a POST of a form. */
  form?: Readonly<Record<string, string>> | undefined;
  timeoutMilliseconds: number;
  signal: AbortSignal | undefined;
  /** Replaces the global `fetch`. */
  fetch: typeof globalThis.fetch | undefined;
}

export interface JsonAnswer {
  body: unknown;
  headers: Headers;
}

const triesMax = 3;
const connectionsMax = 2;
const secondMilliseconds = 1_000;
/** Spreads the retries of many processes, which otherwise all follow the same header. */
const jitterMilliseconds = 250;

const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });

const readJson = async (response: Response, signal: AbortSignal): Promise<JsonAnswer> => {
  const { status, headers } = response;
  try {
    return { body: JSON.parse(await readText(response)), headers };
  } catch (cause) {
    signal.throwIfAborted();
    const message = "The answer of Latchkey is not JSON: check the URL";
    throw new LatchkeyError("unexpected-response", message, { status, cause });
  }
};

const refusalOf = ({ status, headers }: Response): LatchkeyError => {
  const details = { status, retryAfterSeconds: readRetryAfter(headers) };
  if (status === 503)
    return new LatchkeyError("unavailable", "Latchkey is not available (503)", details);
  if (status === 429)
    return new LatchkeyError(
      "rate-limited",
      "Latchkey limits the rate of this server (429)",
      details,
    );
  return new LatchkeyError(
    "unexpected-response",
    `Latchkey answered ${status || "with a redirect"}: check the URL`,
    details,
  );
};

/** Returns the milliseconds until the next try, or undefined if there is to be none before the deadline. */
const delayOf = ({ code, retryAfterSeconds }: LatchkeyError, end: number): number | undefined => {
  if (code !== "unavailable" || retryAfterSeconds === undefined) return undefined;
  const delay = retryAfterSeconds * secondMilliseconds;
  if (Date.now() + delay >= end) return undefined;
  return retryAfterSeconds === 0 ? 0 : delay + Math.random() * jitterMilliseconds;
};

const request = async (
  { address, headers, form, fetch = globalThis.fetch }: JsonRequest,
  signal: AbortSignal,
): Promise<Response | { lost: unknown }> => {
  try {
    // Redirects are not followed, because they would receive the session. Frameworks that cache `fetch` must not cache a session.
    return await fetch(address, {
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      headers,
      signal,
      redirect: "manual",
      cache: "no-store",
    });
  } catch (error) {
    signal.throwIfAborted();
    return { lost: error };
  }
};

/** Sends the request, up to three times. Rejects with a `LatchkeyError`, or with the reason of the signal. */
const tryInTurn = async (sent: JsonRequest, signal: AbortSignal): Promise<JsonAnswer> => {
  const end = Date.now() + sent.timeoutMilliseconds;
  let lostCount = 0;
  for (let tries = 1; ; tries += 1) {
    const response = await request(sent, signal);
    if ("lost" in response) {
      lostCount += 1;
      if (lostCount < connectionsMax) continue;
      const cause = response.lost;
      throw new LatchkeyError("unreachable", "Latchkey cannot be reached", { cause });
    }
    if (response.status === 200) return readJson(response, signal);
    response.body?.cancel().catch(() => {}); // the result does not depend on it
    const refusal = refusalOf(response);
    const delay = tries < triesMax ? delayOf(refusal, end) : undefined;
    if (delay === undefined) throw refusal;
    await waitFor(delay, signal);
  }
};

/**
 * Returns the JSON of a 200. A lost connection is retried once, and a 503 with `Retry-After` up to twice, both within the deadline. Only
 * for requests that may be repeated. Rejects with a `LatchkeyError`, or with the reason of `signal`.
 */
export const fetchJson = async (sent: JsonRequest): Promise<JsonAnswer> => {
  const { timeoutMilliseconds: milliseconds, signal } = sent;
  signal?.throwIfAborted();
  try {
    return await withDeadline({ milliseconds, signal }, (ending) => tryInTurn(sent, ending));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LatchkeyError) throw error;
    const message = "Latchkey does not answer in time";
    throw new LatchkeyError("timeout", message, { cause: error });
  }
};
