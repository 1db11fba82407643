import { decodeSessionData, type SecretRing } from "@latchkey/crypto";
import { createBoundedMemo, detached } from "@latchkey/service-kit";

/** A copy of a session that we signed, as a browser's cookie holds it. */
export interface SessionCopy {
  token: string;
  userId: string;
  /** Undefined in a copy that nobody counted. */
  epoch: number | undefined;
  /** End of the copy, and of the session itself; milliseconds since the epoch. */
  expiresAt: number;
  sessionExpiresAt: number;
  /** What get-session answers with. */
  json: string;
}

/** Reads the copy that came with a session's token; undefined unless we signed it and it has not expired. */
export interface SessionCopies {
  read(value: string, token: string): SessionCopy | undefined;
}

/** Enough for the sessions of some minutes; others are verified anew. */
const bounds = { entriesMax: 10_000, charactersMax: 16 * 1024 * 1024 };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const createSessionCopies = ({
  ring,
  clock,
}: {
  ring: SecretRing;
  clock: () => number;
}): SessionCopies => {
  /** The last value of each token whose signature was found good. */
  const verified = createBoundedMemo<{ value: string; copy: SessionCopy }>(bounds);

  const verify = (value: string, now: number): SessionCopy | undefined => {
    const decoded = decodeSessionData(ring, value, new Date(now));
    if (!decoded.ok) return undefined;
    const { session, user, epoch } = decoded.data.session;
    return {
      token: textOf(session["token"]),
      userId: textOf(user["id"]),
      epoch,
      expiresAt: decoded.data.expiresAt,
      sessionExpiresAt: Date.parse(textOf(session["expiresAt"])),
      json: JSON.stringify({ session, user }),
    };
  };
  return {
    read: (value, token) => {
      const now = clock();
      const known = verified.get(token);
      if (known?.value === value) return known.copy.expiresAt < now ? undefined : known.copy;
      const copy = verify(value, now);
      if (copy)
        verified.set(token, {
          entry: { value: detached(value), copy },
          characters: value.length + copy.json.length,
        });
      return copy;
    },
  };
};
