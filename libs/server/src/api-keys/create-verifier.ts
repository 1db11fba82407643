import { readAnswer } from "./read-answer.ts";
import { unavailable } from "./unavailable.ts";
import type { Verification } from "./verification.ts";
import { checkOptions, type VerifierOptions } from "./verifier-options.ts";
import { withDeadline } from "../http/with-deadline.ts";

export interface VerifyRequest {
  /** Resources to actions. The key must have all of these permissions. */
  permissions?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Aborts before the deadline. */
  signal?: AbortSignal | undefined;
}

export interface Verifier {
  /**
   * Verifies a key for the requested permissions, and counts one use. Rejects only if `signal` aborts, with its reason. Every failure of
   * the
   * service is part of the result.
   */
  verify(key: string, request?: VerifyRequest): Promise<Verification>;
}

/** The service accepts no longer keys, in UTF-16 units. A longer text must not cause an error at the caller. */
const keyLengthMax = 4_096;
const triesMax = 2;

const mayBeKey = (key: unknown): key is string =>
  typeof key === "string" && key.length > 0 && key.length <= keyLengthMax;

/** Creates a client that verifies keys at the apikey service. Throws `TypeError` for invalid options. */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { addresses, token, timeoutMilliseconds, fetch } = checkOptions(options);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  // Index of the replica that is called first. A replica that gave no answer is called last, until another one gives none.
  let first = 0;

  const requestVerification = async (body: string, signal: AbortSignal): Promise<Verification> => {
    const send = fetch ?? globalThis.fetch;
    // Redirects are not followed, because they would receive the key.
    const request = { method: "POST", headers, body, signal, redirect: "manual" } as const;
    let lost: unknown;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const index = first;
      try {
        return await readAnswer(await send(addresses[index] as string, request), signal);
      } catch (error) {
        if (first === index) first = (first + 1) % addresses.length;
        signal.throwIfAborted();
        lost = error;
      }
    }
    return unavailable("The apikey service cannot be reached", lost);
  };

  return {
    verify: async (key, { permissions, signal } = {}) => {
      signal?.throwIfAborted();
      if (!mayBeKey(key)) return { ok: false, reason: "malformed" };
      const body = JSON.stringify({ key, permissions });
      try {
        const deadline = { milliseconds: timeoutMilliseconds, signal };
        return await withDeadline(deadline, (ending) => requestVerification(body, ending));
      } catch (error) {
        signal?.throwIfAborted();
        return unavailable("The apikey service does not answer in time", error);
      }
    },
  };
};
