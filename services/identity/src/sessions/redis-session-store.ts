import { type AuditEntry, lifetimeMilliseconds, type RedisClient } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { UserRow } from "../users/user-row.ts";
import { defineSessionScripts } from "./redis-session-scripts.ts";
import { foundFromJson, sessionFromJson, sessionToJson, userToJson } from "./session-entry.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";

export interface RedisSessionStoreOptions {
  redis: RedisClient;
  /** Keeps what was done; it may lie in another store. */
  recordAudit: (audit: AuditEntry) => Promise<void>;
  /** Keeps what was ended, and moves the user to the next epoch. */
  recordEnd: (userId: string, audit: AuditEntry) => Promise<void>;
  /** Does so in a transaction of that other store. */
  recordAdopted: (note: (trx: Kysely<Tables>) => Promise<void>) => Promise<void>;
  clock: () => number;
  keyOf: (kind: string, tag: string) => string;
}

const listMax = 1000;
const entryMembers = ["session", "user", "revision", "organization"] as const;

const hex = (tokenHash: Buffer): string => tokenHash.toString("hex");

/** The keys and the few commands that the store is made of. */
const createCommands = (options: RedisSessionStoreOptions) => {
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
    /** Hex of the hashes of a user's sessions, the one that expires last at the end. */
    indexed: (userId: string) => redis.zrange(indexKey(userId), "0", "-1"),
    lifetime: (expiresAt: Date) => lifetimeMilliseconds(expiresAt.getTime() - clock()),
  };
};

type Commands = ReturnType<typeof createCommands>;

const insert = async (commands: Commands, session: StoredSession, user: UserRow): Promise<void> => {
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

const extend = async (
  { redis, sessionKey, lifetime, index }: Commands,
  seen: StoredSession,
  extended: StoredSession,
): Promise<boolean> => {
  // First, so that a crash in between leaves no live session outside the index; it only ever moves forward.
  await index(extended);
  const done = await redis.sessionExtend(
    sessionKey(seen.tokenHash),
    seen.updatedAt.getTime(),
    sessionToJson(extended),
    lifetime(extended.expiresAt),
  );
  return done === 1;
};

const list = async (
  { redis, sessionKey, indexed }: Commands,
  userId: string,
  now: Date,
): Promise<StoredSession[]> => {
  const hashes = (await indexed(userId)).slice(-listMax);
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const members = await redis.hmget(sessionKey(hash), "session", "organization");
      const [session, organization = null] = members;
      return session ? [sessionFromJson(Buffer.from(hash, "hex"), { session, organization })] : [];
    }),
  );
  return found
    .flat()
    .filter((session) => session.expiresAt > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
};

const listHolders = async (
  { redis, sessionKey, indexed }: Commands,
  userIds: readonly string[],
  organizationId: string,
): Promise<string[]> => {
  const holds = async (userId: string) => {
    const hashes = await indexed(userId);
    const held = await Promise.all(
      hashes.map((hash) => redis.hget(sessionKey(hash), "organization")),
    );
    return held.includes(organizationId);
  };
  const asked = await Promise.all(
    userIds.map(async (userId) => ((await holds(userId)) ? [userId] : [])),
  );
  return asked.flat();
};

const revokeAll = async (
  { redis, sessionKey, indexKey, indexed }: Commands,
  userId: string,
  except: Buffer | undefined,
): Promise<void> => {
  const spared = except && hex(except);
  const hashes = (await indexed(userId)).filter((hash) => hash !== spared);
  await Promise.all(hashes.map((hash) => redis.del(sessionKey(hash))));
  if (hashes.length > 0) await redis.zrem(indexKey(userId), ...hashes);
};

/**
 * Sessions in Redis, with an index of each user's. Each command touches one key, so a cluster can hold them. A session
 * is written before its index entry: what a crash leaves between the two is a session whose token nobody was given.
 */
export const createRedisSessionStore = (options: RedisSessionStoreOptions): SessionStore => {
  const { recordAudit, recordEnd, recordAdopted } = options;
  const commands = createCommands(options);
  const { redis, sessionKey, indexKey, indexed } = commands;
  return {
    copiesUser: true,
    insert: async (session, user, audit) => {
      await insert(commands, session, user);
      await recordAudit(audit);
      return true;
    },
    adopt: async (sessions, note) => {
      await Promise.all(sessions.map(({ session, user }) => insert(commands, session, user)));
      await recordAdopted((trx) =>
        note(trx, new Set(sessions.map(({ session }) => hex(session.tokenHash)))),
      );
    },
    find: async (tokenHash) => {
      const members = await redis.hmget(sessionKey(tokenHash), ...entryMembers);
      const [session, user, revision = null, organization = null] = members;
      return session && user
        ? foundFromJson(tokenHash, { session, user, revision, organization })
        : undefined;
    },
    extend: (tokenHash, seen, to) => extend(commands, { ...seen, tokenHash }, { ...seen, ...to }),
    deleteExpired: async (tokenHash, now) => {
      await redis.sessionExpire(sessionKey(tokenHash), now.getTime());
    },
    revoke: async ({ tokenHash, userId }, audit) => {
      const ended = await redis.del(sessionKey(tokenHash));
      await redis.zrem(indexKey(userId), hex(tokenHash));
      if (ended > 0) await recordEnd(userId, audit);
      return ended > 0;
    },
    revokeAll: async (userId, except, audit) => {
      await revokeAll(commands, userId, except);
      await recordEnd(userId, audit);
    },
    chooseOrganization: async ({ tokenHash }, organizationId) =>
      (await redis.sessionChoose(sessionKey(tokenHash), organizationId ?? "")) === 1,
    listOrganizationHolders: (userIds, organizationId) =>
      listHolders(commands, userIds, organizationId),
    forgetOrganization: async (userId, organizationId) => {
      const forgotten = await Promise.all(
        (await indexed(userId)).map((hash) =>
          redis.sessionForget(sessionKey(hash), organizationId),
        ),
      );
      return forgotten.includes(1);
    },
    list: async (userId, now, limit) => (await list(commands, userId, now)).slice(0, limit),
    renewUser: async (user) => {
      const [hashes, json] = [await indexed(user.id), userToJson(user)];
      await Promise.all(
        hashes.map((hash) => redis.sessionRenew(sessionKey(hash), json, user.revision)),
      );
    },
  };
};
