import { readAnswer } from "./read-answer.ts";
import { unavailable } from "./unavailable.ts";
import type { Verification } from "./verification.ts";
import { checkOptions, type VerifierOptions } from "./verifier-options.ts";
import { withDeadline } from "./with-deadline.ts";

export interface VerifyRequest {
  /** Resources to actions, all of which the key must be permitted. */
  permissions?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Gives up before the deadline. */
  signal?: AbortSignal | undefined;
}

export interface Verifier {
  /**
   * Uses a key once for what is asked, and says whether it was good for it. Rejects only where `signal` aborts, with its
   * reason: whatever the service does is told by the result.
   */
  verify(key: string, request?: VerifyRequest): Promise<Verification>;
}

/** The service takes no longer ones, in UTF-16 units; whoever brings one has no right to an error. */
const keyLengthMax = 4_096;
const triesMax = 2;

const mayBeKey = (key: unknown): key is string =>
  typeof key === "string" && key.length > 0 && key.length <= keyLengthMax;

/** Asks the apikey service about keys. Throws `TypeError` for options that cannot be worked with. */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { addresses, token, timeoutMilliseconds, fetch } = checkOptions(options);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  // The replica that is asked first: one that gave no answer comes last, until another one gives none.
  let first = 0;

  const ask = async (body: string, signal: AbortSignal): Promise<Verification> => {
    const send = fetch ?? globalThis.fetch;
    // An answer that leads elsewhere is not followed: the key would go there.
    const request = { method: "POST", headers, body, signal, redirect: "manual" } as const;
    let lost: unknown;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const asked = first;
      try {
        return await readAnswer(await send(addresses[asked] as string, request), signal);
      } catch (error) {
        if (first === asked) first = (first + 1) % addresses.length;
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
        return await withDeadline(deadline, (ending) => ask(body, ending));
      } catch (error) {
        signal?.throwIfAborted();
        return unavailable("The apikey service does not answer in time", error);
      }
    },
  };
};
