/** All that the token of a session is made from; another source asks for another token. */
export interface TokenSource {
  kid: string;
  baseUrl: string;
  /** Of the session, in milliseconds since the epoch. */
  updatedAt: number;
  /** Of the user; it grows with each change. */
  epoch: number;
}

/** A token that may be given again. */
export interface RememberedToken {
  token: string;
  madeFrom: TokenSource;
  /** From this moment on a new one is made, in milliseconds since the epoch. */
  renewAt: number;
}

/** The last token of each session, for a moment, so that not every get-session signs one. */
export interface TokenMemo {
  /** The token of a session, if it was made from the same and need not be renewed at `now`. */
  recall(sessionId: string, madeFrom: TokenSource, now: number): string | undefined;
  remember(sessionId: string, remembered: RememberedToken): void;
}

const isSame = (a: TokenSource, b: TokenSource): boolean =>
  a.kid === b.kid && a.baseUrl === b.baseUrl && a.updatedAt === b.updatedAt && a.epoch === b.epoch;

/** Holds `sizeMax` tokens at most: the oldest gives way. */
export const createTokenMemo = (sizeMax = 20_000): TokenMemo => {
  const tokens = new Map<string, RememberedToken>();
  return {
    recall: (sessionId, madeFrom, now) => {
      const found = tokens.get(sessionId);
      return found && now < found.renewAt && isSame(found.madeFrom, madeFrom)
        ? found.token
        : undefined;
    },
    remember: (sessionId, remembered) => {
      tokens.delete(sessionId); // so that it becomes the newest
      tokens.set(sessionId, remembered);
      if (tokens.size <= sizeMax) return;
      const [oldest = ""] = tokens.keys();
      tokens.delete(oldest);
    },
  };
};
