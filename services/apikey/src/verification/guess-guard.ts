import { type Options, WireError } from "@latchkey/contracts";
import { createBoundedMemo } from "@latchkey/service-kit/bounds";

/** An existing key. `good` if it could be used. */
type Found = "good" | "known";

/** Prevents guessing keys through a service. */
export interface GuessGuard {
  /**
   * Admits a service's request for a key. It counts as a guess unless the returned function is called, which reports that the key exists.
   * Throws `TOO_MANY_REQUESTS` if the service has made too many guesses, unless it recently found this key valid.
   */
  admit(service: string, stored: string): (found: Found) => void;
}

interface Window {
  endsAt: number;
  count: number;
}

/** How long a service may keep using a key after it was found valid. */
const goodMilliseconds = 3_600_000;
/** The age at which such a record is renewed. */
const renewMilliseconds = 60_000;
const bounds = { entriesMax: 50_000, charactersMax: 8 * 1024 * 1024 };

/**
 * Counts the unknown keys that each service requests, in this process. Above the limit, keys that the service found valid within the hour
 * still work, and no other key is looked up. Thus a guess gets no answer, right or wrong. A flood of bad keys locks out no user whose key
 * this process knew. A guess counts before its lookup, so that concurrent guesses cannot exceed the limit.
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
  // One window per service token, of which there are few.
  const windows = new Map<string, Window>();
  /** When a service last found a key valid. */
  const good = createBoundedMemo<number>(bounds);
  const windowOf = (service: string): Window => {
    const now = clock();
    const current = windows.get(service);
    if (current && current.endsAt > now) return current;
    const begun = { endsAt: now + unknownKeys.window * 1000, count: 0 };
    windows.set(service, begun);
    return begun;
  };
  const recordValid = (name: string, now: number): void => {
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
        if (found === "good") recordValid(name, clock());
      };
    },
  };
};
