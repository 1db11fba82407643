import { type RedisClient, lifetimeMilliseconds } from "@latchkey/service-kit/database";
import type { UserRow } from "../../users/user-row.ts";
import { sessionFromJson, sessionToJson, userToJson } from "./session-entry.ts";
import type { StoredSession } from "./session-store.ts";

/** Writes a whole entry with its time to live, in ms, unless it exists. An empty organization or team means none. */
const insertScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'user', ARGV[2], 'revision', ARGV[3])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'organization', ARGV[5]) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'team', ARGV[6]) end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;

/**
 * Replaces the session unless it was changed since it was read. Only one of several extensions wins, and none revives the
 * session.
 */
const extendScript = `
local held = redis.call('HGET', KEYS[1], 'session')
if not held or cjson.decode(held).updatedAt ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'session', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Deletes a session that expired before a given time, unless it was extended meanwhile. */
const expireScript = `
local session = redis.call('HGET', KEYS[1], 'session')
if not session or cjson.decode(session).expiresAt >= tonumber(ARGV[1]) then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Replaces the user snapshot in a live session, unless that one is newer. */
const renewScript = `
local held = redis.call('HGET', KEYS[1], 'revision')
if not held or tonumber(held) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'user', ARGV[1], 'revision', ARGV[2])
return 1`;

/** Writes the organization and the team of an existing session. An empty one means none. */
const chooseScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 'organization', 'team')
if ARGV[1] ~= '' then redis.call('HSET', KEYS[1], 'organization', ARGV[1]) end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'team', ARGV[2]) end
return 1`;

/**
 * Writes the additional fields of an existing session if they are as they were read. Returns 2 if they were changed.
 * Fields that were never changed are only in the session's text, and read as an empty text.
 */
const changeFieldsScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if (redis.call('HGET', KEYS[1], 'fields') or '') ~= ARGV[1] then return 2 end
redis.call('HSET', KEYS[1], 'fields', ARGV[2])
return 1`;

/** Writes the authentication of an existing session. */
const authenticateScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'authentication', ARGV[1])
return 1`;

/** Removes an organization with its team, or only a team, from a session that works in it. Keeps another one. */
const forgetScript = `
if redis.call('HGET', KEYS[1], 'organization') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], 'organization', 'team')
  return 1
end
if redis.call('HGET', KEYS[1], 'team') ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], 'team')`;

/** Adds to a user's index, removes expired entries, and expires the index with its longest session. */
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
  sessionChoose(key: string, organizationId: string, teamId: string): Promise<number>;
  sessionForget(key: string, organizationId: string, teamId: string): Promise<number>;
  sessionChangeFields(key: string, seen: string, fields: string): Promise<number>;
  sessionAuthenticate(key: string, authentication: string): Promise<number>;
  sessionIndex(key: string, ...values: (string | number)[]): Promise<number>;
  sessionExpire(key: string, ...values: (string | number)[]): Promise<number>;
}

/** Defines the scripts on a connection. Each uses a single key. */
const defineSessionScripts = (redis: RedisClient): RedisClient & Scripts => {
  redis.defineCommand("sessionInsert", { numberOfKeys: 1, lua: insertScript });
  redis.defineCommand("sessionExtend", { numberOfKeys: 1, lua: extendScript });
  redis.defineCommand("sessionRenew", { numberOfKeys: 1, lua: renewScript });
  redis.defineCommand("sessionChoose", { numberOfKeys: 1, lua: chooseScript });
  redis.defineCommand("sessionChangeFields", { numberOfKeys: 1, lua: changeFieldsScript });
  redis.defineCommand("sessionAuthenticate", { numberOfKeys: 1, lua: authenticateScript });
  redis.defineCommand("sessionForget", { numberOfKeys: 1, lua: forgetScript });
  redis.defineCommand("sessionIndex", { numberOfKeys: 1, lua: indexScript });
  redis.defineCommand("sessionExpire", { numberOfKeys: 1, lua: expireScript });
  return redis as RedisClient & Scripts;
};

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
    session.activeTeamId ?? "",
  );
  await index(session);
};

const sessionMembers = ["session", "organization", "fields", "authentication", "team"] as const;

/** Returns the sessions with these hashes. Leaves out those that do not exist. */
export const readEntries = async (
  { redis, sessionKey }: SessionCommands,
  hashes: readonly string[],
): Promise<StoredSession[]> => {
  const entries = await Promise.all(
    hashes.map(async (hash) => {
      const members = await redis.hmget(sessionKey(hash), ...sessionMembers);
      const [session, organization = null, fields = null, authentication = null] = members;
      const team = members[4] ?? null;
      const entry = session && { session, organization, team, fields, authentication };
      return entry ? [sessionFromJson(Buffer.from(hash, "hex"), entry)] : [];
    }),
  );
  return entries.flat();
};
