import { type Options, WireError } from "@latchkey/contracts";
import { createBoundedMemo } from "@latchkey/service-kit";

/** A key that was asked about and is there; `good` if it could be used. */
type Found = "good" | "known";

/** Keeps a service from being used to guess keys. */
export interface GuessGuard {
  /**
   * Lets a service ask about a key, which counts as a guess unless the function that it gives is told that the key is there. Throws
   * `TOO_MANY_REQUESTS` where the service has made too many guesses, unless it has found this key good lately.
   */
  admit(service: string, stored: string): (found: Found) => void;
}

interface Window {
  endsAt: number;
  count: number;
}

/** How long a service goes on with a key that it has found good. */
const goodMilliseconds = 3_600_000;
/** How old a note of that may grow before it is renewed. */
const renewMilliseconds = 60_000;
const bounds = { entriesMax: 50_000, charactersMax: 8 * 1024 * 1024 };

/**
 * Counts the unknown keys that each service asks about, in this process. While there are too many, keys that the service has found
 * good within the hour go on as ever and nothing else is looked at: a guess at any other is not answered, right or wrong, and who
 * floods a service with bad keys shuts out nobody whom this process knew. A guess counts before it is looked at, so that many
 * at once are no more than the limit.
 */
export const createGuessGuard = ({
  clock,
  config: {
    apiKey: { unknownKeys },
  },
}: {
  clock: () => number;
  config: { apiKey: Pick<Options["apiKey"], "unknownKeys"> };
}): GuessGuard => {
  // One for each service token, of which there are few.
  const windows = new Map<string, Window>();
  /** When a service last found a key good. */
  const good = createBoundedMemo<number>(bounds);
  const windowOf = (service: string): Window => {
    const now = clock();
    const known = windows.get(service);
    if (known && known.endsAt > now) return known;
    const begun = { endsAt: now + unknownKeys.window * 1000, count: 0 };
    windows.set(service, begun);
    return begun;
  };
  const noteGood = (name: string, now: number): void => {
    const goodAt = good.get(name);
    if (goodAt === undefined || goodAt < now - renewMilliseconds)
      good.set(name, { entry: now, characters: 0 });
  };

  return {
    admit: (service, stored) => {
      const window = windowOf(service);
      const name = `${service} ${stored}`;
      if (window.count >= unknownKeys.max) {
        const goodAt = good.get(name);
        if (goodAt === undefined || goodAt <= clock() - goodMilliseconds)
          throw new WireError("TOO_MANY_REQUESTS", {
            retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - clock()) / 1000)),
          });
      }
      window.count += 1;
      return (found) => {
        window.count -= 1;
        if (found === "good") noteGood(name, clock());
      };
    },
  };
};
