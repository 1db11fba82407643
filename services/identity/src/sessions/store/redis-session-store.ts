import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import {
  createSessionCommands,
  hex,
  insertEntry,
  readEntries,
  type RedisSessionPlace,
  type SessionCommands,
} from "./redis-session-commands.ts";
import {
  authenticationToJson,
  foundFromJson,
  sessionFromJson,
  sessionToJson,
  userToJson,
} from "./session-entry.ts";
import type {
  AuditOfEnd,
  FoundSession,
  SessionPlace,
  SessionStore,
  StoredSession,
} from "./session-store.ts";

export interface RedisSessionStoreOptions extends RedisSessionPlace {
  /** Writes an audit row, possibly in another store. */
  recordAudit: (audit: AuditEntry) => Promise<void>;
  /** Writes the audit row of an end and increments the user revision. */
  recordEnd: (userId: string, audit: AuditOfEnd) => Promise<void>;
  /** Records imported sessions in a transaction of that other store. */
  recordImported: (record: (trx: Kysely<Tables>) => Promise<void>) => Promise<void>;
}

const listMax = 1000;
const entryMembers = [
  "session",
  "user",
  "revision",
  "organization",
  "fields",
  "authentication",
  "team",
] as const;

const find = async (
  { redis, sessionKey }: SessionCommands,
  tokenHash: Buffer,
): Promise<FoundSession | undefined> => {
  const members = await redis.hmget(sessionKey(tokenHash), ...entryMembers);
  const [session, user, revision = null, organization = null, fields = null] = members;
  const [authentication = null, team = null] = members.slice(5);
  if (!session || !user) return undefined;
  const entry = { session, user, revision, organization, team, fields, authentication };
  return foundFromJson(tokenHash, entry);
};

const extend = async (
  { redis, sessionKey, lifetime, index }: SessionCommands,
  seen: StoredSession,
  extended: StoredSession,
): Promise<boolean> => {
  // Runs first, so that a crash in between leaves no live session outside the index. The index entry only ever moves
  // forward.
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
  commands: SessionCommands,
  userId: string,
  now: Date,
): Promise<StoredSession[]> => {
  const entries = await readEntries(commands, (await commands.indexed(userId)).slice(-listMax));
  return entries
    .filter((session) => session.expiresAt > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
};

const listHolders = async (
  { redis, sessionKey, indexed }: SessionCommands,
  userIds: readonly string[],
  { organizationId, teamId }: SessionPlace,
): Promise<string[]> => {
  const holds = async (userId: string) => {
    const hashes = await indexed(userId);
    const places = await Promise.all(
      hashes.map((hash) => redis.hmget(sessionKey(hash), "organization", "team")),
    );
    return places.some(
      ([organization, team]) =>
        organization === organizationId && (teamId === undefined || team === teamId),
    );
  };
  const holders = await Promise.all(
    userIds.map(async (userId) => ((await holds(userId)) ? [userId] : [])),
  );
  return holders.flat();
};

const changeFields = async (
  commands: SessionCommands,
  tokenHash: Buffer,
  change: FieldValues,
): Promise<boolean> => {
  const { redis, sessionKey } = commands;
  const key = sessionKey(tokenHash);
  const [session, seen = null] = await redis.hmget(key, "session", "fields");
  if (!session) return false;
  const entry = { session, organization: null, team: null, fields: seen, authentication: null };
  const { extra } = sessionFromJson(tokenHash, entry);
  const fields = JSON.stringify({ ...extra, ...change });
  const done = await redis.sessionChangeFields(key, seen ?? "", fields);
  return done === 2 ? changeFields(commands, tokenHash, change) : done === 1;
};

const revokeAll = async (
  { redis, sessionKey, indexKey, indexed }: SessionCommands,
  userId: string,
  except: Buffer | undefined,
): Promise<void> => {
  const exceptHex = except && hex(except);
  const hashes = (await indexed(userId)).filter((hash) => hash !== exceptHex);
  await Promise.all(hashes.map((hash) => redis.del(sessionKey(hash))));
  if (hashes.length > 0) await redis.zrem(indexKey(userId), ...hashes);
};

const forgetOrganization = async (
  { redis, sessionKey, indexed }: SessionCommands,
  userId: string,
  { organizationId, teamId = "" }: SessionPlace,
): Promise<boolean> => {
  const hashes = await indexed(userId);
  const forgotten = await Promise.all(
    hashes.map((hash) => redis.sessionForget(sessionKey(hash), organizationId, teamId)),
  );
  return forgotten.includes(1);
};

/**
 * Stores sessions in Redis, with an index for each user. Each command uses one key, so a cluster can hold them. A session
 * is written before its index entry. A crash in between leaves a session whose token was never returned.
 */
export const createRedisSessionStore = (options: RedisSessionStoreOptions): SessionStore => {
  const { recordAudit, recordEnd, recordImported } = options;
  const commands = createSessionCommands(options);
  const { redis, sessionKey, indexKey, indexed } = commands;
  return {
    storesUserSnapshots: true,
    insert: async (session, user, audit) => {
      await insertEntry(commands, session, user);
      await recordAudit(audit);
      return true;
    },
    insertImported: async (sessions, record) => {
      await Promise.all(sessions.map(({ session, user }) => insertEntry(commands, session, user)));
      await recordImported((trx) =>
        record(trx, new Set(sessions.map(({ session }) => hex(session.tokenHash)))),
      );
    },
    find: (tokenHash) => find(commands, tokenHash),
    extend: (tokenHash, seen, to) => extend(commands, { ...seen, tokenHash }, { ...seen, ...to }),
    deleteExpired: async (tokenHash, now) =>
      void (await redis.sessionExpire(sessionKey(tokenHash), now.getTime())),
    revoke: async ({ tokenHash, userId }, audit) => {
      const isEnded = (await redis.del(sessionKey(tokenHash))) > 0;
      await redis.zrem(indexKey(userId), hex(tokenHash));
      if (isEnded) await recordEnd(userId, audit);
      return isEnded;
    },
    revokeAll: async (userId, except, audit) => {
      await revokeAll(commands, userId, except);
      await recordEnd(userId, audit);
    },
    chooseOrganization: async ({ tokenHash }, place) => {
      const chosen = [place?.organizationId ?? "", place?.teamId ?? ""] as const;
      return (await redis.sessionChoose(sessionKey(tokenHash), ...chosen)) === 1;
    },
    changeFields: ({ tokenHash }, change) => changeFields(commands, tokenHash, change),
    changeAuthentication: async ({ tokenHash }, change) =>
      (await redis.sessionAuthenticate(sessionKey(tokenHash), authenticationToJson(change))) === 1,
    recordUse: async ({ tokenHash }, audit) => {
      const lives = (await redis.exists(sessionKey(tokenHash))) > 0;
      if (lives) await recordAudit(audit);
      return lives;
    },
    listOrganizationHolders: (userIds, place) => listHolders(commands, userIds, place),
    forgetOrganization: (userId, place) => forgetOrganization(commands, userId, place),
    list: async (userId, now, limit) => (await list(commands, userId, now)).slice(0, limit),
    renewUser: async (user) => {
      const [hashes, json] = [await indexed(user.id), userToJson(user)];
      await Promise.all(
        hashes.map((hash) => redis.sessionRenew(sessionKey(hash), json, user.revision)),
      );
    },
  };
};
