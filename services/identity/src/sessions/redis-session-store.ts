import { type AuditEntry, lifetimeMilliseconds } from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import type { UserRow } from "../users/user-row.ts";
import { foundFromJson, sessionFromJson, sessionToJson, userToJson } from "./session-entry.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";

export interface RedisSessionStoreOptions {
  redis: Redis;
  /** Keeps what was done; it may lie in another store. */
  recordAudit: (audit: AuditEntry) => Promise<void>;
  /** Keeps what was ended, and moves the user to the next epoch. */
  recordEnd: (userId: string, audit: AuditEntry) => Promise<void>;
  clock: () => number;
  keyOf: (kind: string, tag: string) => string;
}

/** Writes a whole entry with its time to live, in ms. */
const insertScript = `
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'user', ARGV[2], 'revision', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;

/** Replaces the session if nobody has since it was seen, so that one of many extends it and none revives it. */
const extendScript = `
local held = redis.call('HGET', KEYS[1], 'session')
if not held or cjson.decode(held).updatedAt ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'session', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Deletes a session that expired before a moment; one that was extended meanwhile lives on. */
const expireScript = `
local session = redis.call('HGET', KEYS[1], 'session')
if not session or cjson.decode(session).expiresAt >= tonumber(ARGV[1]) then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Replaces the user's copy in a live session, unless that one is newer. */
const renewScript = `
local held = redis.call('HGET', KEYS[1], 'revision')
if not held or tonumber(held) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'user', ARGV[1], 'revision', ARGV[2])
return 1`;

/** Adds to a user's index, drops what has expired, and lets the index live as long as its longest session. */
const indexScript = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], math.floor(tonumber(last[2])))
return 1`;

interface Scripts {
  sessionInsert(key: string, ...values: (string | number)[]): Promise<number>;
  sessionExtend(key: string, ...values: (string | number)[]): Promise<number>;
  sessionRenew(key: string, ...values: (string | number)[]): Promise<number>;
  sessionIndex(key: string, ...values: (string | number)[]): Promise<number>;
  sessionExpire(key: string, ...values: (string | number)[]): Promise<number>;
}

const defineScripts = (redis: Redis): Redis & Scripts => {
  redis.defineCommand("sessionInsert", { numberOfKeys: 1, lua: insertScript });
  redis.defineCommand("sessionExtend", { numberOfKeys: 1, lua: extendScript });
  redis.defineCommand("sessionRenew", { numberOfKeys: 1, lua: renewScript });
  redis.defineCommand("sessionIndex", { numberOfKeys: 1, lua: indexScript });
  redis.defineCommand("sessionExpire", { numberOfKeys: 1, lua: expireScript });
  return redis as Redis & Scripts;
};

const listMax = 1000;

const hex = (tokenHash: Buffer): string => tokenHash.toString("hex");

/** The keys and the few commands that the store is made of. */
const createCommands = (options: RedisSessionStoreOptions) => {
  const { clock, keyOf } = options;
  const redis = defineScripts(options.redis);
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
      const json = await redis.hget(sessionKey(hash), "session");
      return json === null ? [] : [sessionFromJson(Buffer.from(hash, "hex"), json)];
    }),
  );
  return found
    .flat()
    .filter((session) => session.expiresAt > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
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
  const { recordAudit, recordEnd } = options;
  const commands = createCommands(options);
  const { redis, sessionKey, indexKey, indexed } = commands;
  return {
    copiesUser: true,
    insert: async (session, user, audit) => {
      await insert(commands, session, user);
      await recordAudit(audit);
      return true;
    },
    find: async (tokenHash) => {
      const members = await redis.hmget(sessionKey(tokenHash), "session", "user", "revision");
      const [session, user, revision = null] = members;
      return session && user ? foundFromJson(tokenHash, { session, user, revision }) : undefined;
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
    list: async (userId, now, limit) => (await list(commands, userId, now)).slice(0, limit),
    renewUser: async (user) => {
      const [hashes, json] = [await indexed(user.id), userToJson(user)];
      await Promise.all(
        hashes.map((hash) => redis.sessionRenew(sessionKey(hash), json, user.revision)),
      );
    },
  };
};
