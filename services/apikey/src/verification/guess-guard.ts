import { type Options, WireError } from "@latchkey/contracts";
import { createBoundedMemo } from "@latchkey/service-kit";

/** Keeps a service from being used to guess keys. */
export interface GuessGuard {
  /** Throws `TOO_MANY_REQUESTS` where a service has asked about too many unknown keys, unless this one was good lately. */
  admit(service: string, stored: string): void;
  noteGood(stored: string): void;
  noteUnknown(service: string): void;
}

interface Window {
  endsAt: number;
  count: number;
}

const bounds = { entriesMax: 50_000, charactersMax: 8 * 1024 * 1024 };

/**
 * Counts the unknown keys that each service asks about, in this process. While there are too many, keys that were good lately go
 * on as ever and nothing else is looked at: a guess is not answered, right or wrong, and who floods a service with bad
 * keys shuts out nobody who was in.
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
  const good = createBoundedMemo<true>(bounds);
  return {
    admit: (service, stored) => {
      const window = windows.get(service);
      if (!window || window.count < unknownKeys.max || window.endsAt <= clock()) return;
      if (good.get(stored)) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - clock()) / 1000));
      throw new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds });
    },
    noteGood: (stored) => {
      if (!good.get(stored)) good.set(stored, { entry: true, characters: 0 });
    },
    noteUnknown: (service) => {
      const now = clock();
      const window = windows.get(service);
      if (window && window.endsAt > now) window.count += 1;
      else windows.set(service, { endsAt: now + unknownKeys.window * 1000, count: 1 });
    },
  };
};
