import { createBoundedMemo } from "@latchkey/service-kit/bounds";

/** The inputs of a session's token. A change of any of them requires a new token. */
export interface TokenSource {
  kid: string;
  baseUrl: string;
  /** Of the session, in milliseconds since the epoch. */
  updatedAt: number;
  /** The user revision. */
  epoch: number;
}

/** A token that may be reused. */
export interface RememberedToken {
  token: string;
  madeFrom: TokenSource;
  /** When a new token must be made, in milliseconds since the epoch. */
  renewAt: number;
}

/** The recent token of each session, so that not every get-session signs one. */
export interface TokenMemo {
  /** Returns the token of a session, if it has the same inputs and need not be renewed at `now`. */
  recall(sessionId: string, madeFrom: TokenSource, now: number): string | undefined;
  remember(sessionId: string, remembered: RememberedToken): void;
}

const isSame = (a: TokenSource, b: TokenSource): boolean =>
  a.kid === b.kid && a.baseUrl === b.baseUrl && a.updatedAt === b.updatedAt && a.epoch === b.epoch;

/** Creates a memo of at most `entriesMax` tokens. A new one replaces the least recently used. */
export const createTokenMemo = (entriesMax = 20_000): TokenMemo => {
  const tokens = createBoundedMemo<RememberedToken>({ entriesMax });
  return {
    recall: (sessionId, madeFrom, now) => {
      const entry = tokens.get(sessionId);
      return entry && now < entry.renewAt && isSame(entry.madeFrom, madeFrom)
        ? entry.token
        : undefined;
    },
    remember: (sessionId, remembered) => tokens.set(sessionId, { entry: remembered }),
  };
};
