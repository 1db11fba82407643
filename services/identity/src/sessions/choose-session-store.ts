import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { advanceEpoch } from "../epochs/advance-epoch.ts";
import type { EpochNotes } from "../epochs/epoch-notes.ts";
import { findUser } from "../users/find-user.ts";
import { createDoubleSessionStore } from "./double-session-store.ts";
import { createPostgresSessionStore } from "./postgres-session-store.ts";
import { createRedisGeneration } from "./redis-generation.ts";
import { createRedisSessionStore } from "./redis-session-store.ts";
import type { SessionStore } from "./session-store.ts";

export interface SessionStoreChoice {
  config: IdentityConfig["session"];
  db: Kysely<Tables>;
  redis: Redis | undefined;
  clock: () => number;
  epochNotes: EpochNotes;
  /** Makes keys in Redis. */
  keyOf: (kind: string, tag: string) => string;
}

/** Users move on with each end of a session; the copies of those that go on are brought along. */
const renewingCopies = (store: SessionStore, db: Kysely<Tables>): SessionStore => {
  const renew = async (userId: string) => {
    const user = await findUser({ db }, { id: userId });
    if (user) await store.renewUser(user);
  };
  return {
    ...store,
    revoke: async (session, audit) => {
      const ended = await store.revoke(session, audit);
      if (ended) await renew(session.userId);
      return ended;
    },
    revokeAll: async (userId, except, audit) => {
      await store.revokeAll(userId, except, audit);
      await renew(userId);
    },
  };
};

/**
 * Redis and rows do not commit together, so users move on before an end, too: a failure in between leaves no cached copy of
 * a session that has ended.
 */
const endingCopiesFirst = (
  store: SessionStore,
  advance: (userId: string, audit: AuditEntry) => Promise<void>,
): SessionStore => ({
  ...store,
  revoke: async (session, audit) => {
    await advance(session.userId, audit);
    return store.revoke(session, audit);
  },
  revokeAll: async (userId, except, audit) => {
    await advance(userId, audit);
    await store.revokeAll(userId, except, audit);
  },
});

/** Postgres without Redis; Redis with it; both where the options say so. */
export const chooseSessionStore = (choice: SessionStoreChoice): SessionStore => {
  const { config, db, redis, clock, keyOf } = choice;
  const recordEnd = async (trx: Kysely<Tables>, userId: string, audit: AuditEntry) => {
    await appendAudit(trx, choice, audit);
    await advanceEpoch(choice, trx, { userId, caller: audit.caller });
  };
  const rows = () =>
    createPostgresSessionStore({
      db,
      clock,
      keepRevoked: config.preserveSessionInDatabase,
      recordEnd,
    });
  if (!redis) return rows();
  const inRedis = { redis, clock, keyOf };
  if (!config.storeSessionInDatabase) {
    const store = createRedisSessionStore({
      ...inRedis,
      recordAudit: (audit) => appendAudit(db, choice, audit),
      recordEnd: (userId, audit) =>
        db.transaction().execute((trx) => recordEnd(trx, userId, audit)),
    });
    const advance = (userId: string, { caller }: AuditEntry) =>
      db.transaction().execute((trx) => advanceEpoch(choice, trx, { userId, caller }));
    const guarded = config.cookieCache.enabled ? endingCopiesFirst(store, advance) : store;
    return renewingCopies(guarded, db);
  }
  // The rows keep the audit of a session that lives in both.
  const generation = createRedisGeneration(redis);
  const cache = createRedisSessionStore({
    ...inRedis,
    keyOf: (kind, tag) => keyOf(`${kind}:${generation()}`, tag),
    recordAudit: async () => {},
    recordEnd: async () => {},
  });
  return renewingCopies(createDoubleSessionStore(cache, rows()), db);
};
