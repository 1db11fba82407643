import { twoFactorReplyHeader, twoFactorRequestHeader } from "@latchkey/contracts";
import type { Ledger } from "./ledger.ts";

/** An answer, or undefined if the connection broke. The request may then have been carried out. */
export interface Answer<Body> {
  status: number | "broken";
  body: Body;
  /** The value by which a client without cookies keeps a sign-in that waits for its second factor. */
  twoFactor?: string | undefined;
}

export interface Asking {
  method?: "GET" | "POST";
  token?: string;
  /** The value of a sign-in that waits for its second factor. */
  twoFactor?: string | undefined;
  body?: object;
  /** A status other than 200 that is no failure here. */
  refusal?: number;
}

/** Results of the requests since the last call. */
export interface Tally {
  requests: number;
  failed: Record<string, number>;
  /** In time of `performance`. */
  lastFailureAt: number;
}

/** Sends requests, counts the results and records forbidden answers as violations. */
export interface RecordedClient {
  send<Body>(url: string, asking: Asking): Promise<Answer<Body>>;
  tally(): Tally;
  /** Resets the counts and accepts these statuses in addition to 200 and 503. */
  allow(statuses: readonly (number | "broken")[]): void;
}

/** Three times the documented bound, because the machine runs other tests. */
const answerSecondsMax = 60;

export const createRecordedClient = ({ violations }: Ledger): RecordedClient => {
  let allowed: readonly (number | "broken")[] = [];
  let current: Tally = { requests: 0, failed: {}, lastFailureAt: 0 };
  const fail = (status: number | "broken", what: string) => {
    current.failed[status] = (current.failed[status] ?? 0) + 1;
    current.lastFailureAt = performance.now();
    if (status !== 503 && !allowed.includes(status)) violations.push(what);
  };
  return {
    tally: () => current,
    allow: (statuses) => {
      allowed = statuses;
      current = { requests: 0, failed: {}, lastFailureAt: 0 };
    },
    send: async <Body>(
      url: string,
      { method = "POST", token, twoFactor, body, refusal }: Asking,
    ) => {
      current.requests += 1;
      const { origin, pathname } = new URL(url);
      const begun = performance.now();
      try {
        const response = await fetch(url, {
          method,
          headers: {
            origin,
            ...(token && { authorization: `Bearer ${token}` }),
            ...(twoFactor && { [twoFactorRequestHeader]: twoFactor }),
            ...(method === "POST" && { "content-type": "application/json" }),
          },
          ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
          signal: AbortSignal.timeout(answerSecondsMax * 1_000),
        });
        const text = await response.text();
        const { status, headers } = response;
        if (status !== 200 && status !== refusal)
          fail(status, `${pathname} answered ${status} ${text.slice(0, 200)}`);
        if (status === 503 && !headers.get("retry-after"))
          violations.push(`${pathname} answered 503 without Retry-After`);
        const waiting = headers.get(twoFactorReplyHeader) ?? undefined;
        return {
          status,
          body: (text ? JSON.parse(text) : undefined) as Body,
          twoFactor: waiting,
        };
      } catch (error) {
        const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
        const { name, cause } = error as Error;
        const why = `${pathname} broke after ${seconds} s: ${name} ${String(cause)}`;
        // Broken connections are allowed, but waiting is not.
        if (name === "TimeoutError" && allowed.includes("broken")) violations.push(why);
        fail("broken", why);
        return { status: "broken", body: undefined as Body };
      }
    },
  };
};
