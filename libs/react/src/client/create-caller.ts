import { LatchkeyError } from "./latchkey-error.ts";

/** Calls an operation with the cookies of the browser: GET, or POST with a body. Rejects with a `LatchkeyError`. */
export type Caller = (path: string, body?: object) => Promise<unknown>;

interface CallerOptions {
  /** The base URL, without a slash at its end. */
  url: string;
  /** Replaces the global `fetch`. */
  fetch: typeof globalThis.fetch | undefined;
}

const timeoutMilliseconds = 10_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const errorOf = (status: number, body: unknown): LatchkeyError => {
  const { code, message } = isObject(body) ? body : {};
  return new LatchkeyError(typeof message === "string" ? message : `Latchkey answered ${status}`, {
    status,
    code: typeof code === "string" ? code : undefined,
  });
};

/** Creates a caller of one Latchkey. */
export const createCaller =
  ({ url, fetch = globalThis.fetch }: CallerOptions): Caller =>
  async (path, body) => {
    const post = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(url + path, {
      credentials: "include",
      cache: "no-store",
      signal,
      ...post,
    }).catch((cause: unknown) => {
      throw new LatchkeyError("Latchkey cannot be reached", { status: 0, cause });
    });
    const reply: unknown = await response.json().catch(() => undefined);
    if (response.ok && reply !== undefined) return reply;
    throw errorOf(response.status, reply);
  };
