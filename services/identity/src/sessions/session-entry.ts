import type { User } from "@latchkey/contracts";
import { toUser, type UserRow } from "../users/user-row.ts";
import type { FoundSession, StoredSession } from "./session-store.ts";

// In Redis a session is a hash of two JSON texts, `session` and `user`, and the `revision` of the user's copy. Times are
// milliseconds since the epoch.

const times = ["expiresAt", "createdAt", "updatedAt"] as const;

const toJson = (value: object): string =>
  JSON.stringify(value, (name, member: unknown) =>
    (times as readonly string[]).includes(name) && typeof member === "string"
      ? Date.parse(member)
      : member,
  );

const revive = (json: string): Record<string, unknown> => {
  const value = JSON.parse(json) as Record<string, unknown>;
  for (const name of times)
    if (typeof value[name] === "number") value[name] = new Date(value[name]);
  return value;
};

export const sessionToJson = ({ tokenHash: _, ...session }: StoredSession): string =>
  toJson(session);

export const userToJson = (user: UserRow): string => toJson(toUser(user));

export const sessionFromJson = (tokenHash: Buffer, json: string): StoredSession => ({
  ...(revive(json) as unknown as Omit<StoredSession, "tokenHash">), // as `sessionToJson` wrote it
  tokenHash,
});

export const foundFromJson = (tokenHash: Buffer, session: string, user: string): FoundSession => ({
  session: sessionFromJson(tokenHash, session),
  user: revive(user) as unknown as User, // as `userToJson` wrote it
});
