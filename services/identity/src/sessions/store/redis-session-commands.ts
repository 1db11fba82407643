import { lifetimeMilliseconds, type RedisClient } from "@latchkey/service-kit";
import type { UserRow } from "../../users/user-row.ts";
import { defineSessionScripts } from "./redis-session-scripts.ts";
import { sessionFromJson, sessionToJson, userToJson } from "./session-entry.ts";
import type { StoredSession } from "./session-store.ts";

/** The location of sessions in Redis. */
export interface RedisSessionPlace {
  redis: RedisClient;
  clock: () => number;
  keyOf: (kind: string, tag: string) => string;
}

export const hex = (tokenHash: Buffer): string => tokenHash.toString("hex");

/** Creates the keys and the commands of the store. */
export const createSessionCommands = (options: RedisSessionPlace) => {
  const { clock, keyOf } = options;
  const redis = defineSessionScripts(options.redis);
  const sessionKey = (tokenHash: Buffer | string) =>
    keyOf("session", typeof tokenHash === "string" ? tokenHash : hex(tokenHash));
  const indexKey = (userId: string) => keyOf("user-sessions", userId);
  return {
    redis,
    sessionKey,
    indexKey,
    index: ({ userId, expiresAt, tokenHash }: StoredSession) =>
      redis.sessionIndex(indexKey(userId), expiresAt.getTime(), hex(tokenHash), clock()),
    /** Returns the hashes of a user's sessions in hex, ordered by expiry. */
    indexed: (userId: string) => redis.zrange(indexKey(userId), "0", "-1"),
    lifetime: (expiresAt: Date) => lifetimeMilliseconds(expiresAt.getTime() - clock()),
  };
};

export type SessionCommands = ReturnType<typeof createSessionCommands>;

/** Writes a session with its user snapshot, and then its index entry. */
export const insertEntry = async (
  commands: SessionCommands,
  session: StoredSession,
  user: UserRow,
): Promise<void> => {
  const { redis, sessionKey, lifetime, index } = commands;
  await redis.sessionInsert(
    sessionKey(session.tokenHash),
    sessionToJson(session),
    userToJson(user),
    user.revision,
    lifetime(session.expiresAt),
    session.activeOrganizationId ?? "",
  );
  await index(session);
};

const sessionMembers = ["session", "organization", "fields", "authentication"] as const;

/** Returns the sessions with these hashes. Leaves out those that do not exist. */
export const readEntries = async (
  { redis, sessionKey }: SessionCommands,
  hashes: readonly string[],
): Promise<StoredSession[]> => {
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const members = await redis.hmget(sessionKey(hash), ...sessionMembers);
      const [session, organization = null, fields = null, authentication = null] = members;
      const entry = session && { session, organization, fields, authentication };
      return entry ? [sessionFromJson(Buffer.from(hash, "hex"), entry)] : [];
    }),
  );
  return found.flat();
};
