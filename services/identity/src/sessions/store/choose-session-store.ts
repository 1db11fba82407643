import type { Caller } from "@latchkey/contracts";
import { appendAudit, type AuditEntry, type RedisClient } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../../config.ts";
import type { Tables } from "../../db/tables.ts";
import { advanceRevision } from "../../user-revisions/advance-revision.ts";
import type { RevisionRecords } from "../../user-revisions/revision-records.ts";
import { findUserById } from "../../users/queries.ts";
import { createDoubleSessionStore } from "./double-session-store.ts";
import { endingCachedFirst } from "./ending-cached-first.ts";
import { ofOneGeneration } from "./of-one-generation.ts";
import { createPostgresSessionStore } from "./postgres-session-store.ts";
import { createRedisGeneration, type RedisGeneration } from "./redis-generation.ts";
import { createRedisSessionStore } from "./redis-session-store.ts";
import { renewingSnapshots } from "./renewing-snapshots.ts";
import type { AuditOfEnd, SessionStore } from "./session-store.ts";

export interface SessionStoreChoice {
  config: IdentityConfig["session"];
  db: Kysely<Tables>;
  redis: RedisClient | undefined;
  /** The generation of `redis`. Created here by default. */
  generation?: RedisGeneration | undefined;
  clock: () => number;
  revisionRecords: RevisionRecords;
  /** Builds a key in Redis. */
  keyOf: (kind: string, tag: string) => string;
}

/** Names the user in the audit row of a session, by which events name the user. */
const withUser = (audit: AuditEntry, userId: string): AuditEntry =>
  audit.subject.kind === "session" ? { ...audit, before: { ...audit.before, userId } } : audit;

/** Returns the Postgres store without Redis, the Redis store with it, or both if the options say so. */
export const chooseSessionStore = (choice: SessionStoreChoice): SessionStore => {
  const { config, db, redis, clock, keyOf } = choice;
  const recordChange = (trx: Kysely<Tables>, userId: string, caller: Caller | undefined) =>
    advanceRevision(choice, trx, { userId, caller });
  const recordEnd = async (trx: Kysely<Tables>, userId: string, audit: AuditOfEnd) => {
    if ("action" in audit) await appendAudit(trx, choice, withUser(audit, userId));
    await recordChange(trx, userId, audit.caller);
  };
  const rows = () =>
    createPostgresSessionStore({
      db,
      clock,
      keepRevoked: config.preserveSessionInDatabase,
      recordEnd,
      recordChange,
    });
  if (!redis) return rows();
  const inRedis = { redis, clock, keyOf };
  const advance = (userId: string, caller?: Caller) =>
    db.transaction().execute((trx) => recordChange(trx, userId, caller));
  const copies = { advance, findUser: (id: string) => findUserById(db, id) };
  if (!config.storeSessionInDatabase) {
    const store = createRedisSessionStore({
      ...inRedis,
      recordAudit: (audit) => appendAudit(db, choice, audit),
      recordEnd: (userId, audit) =>
        db.transaction().execute((trx) => recordEnd(trx, userId, audit)),
      recordImported: (record) => db.transaction().execute(record),
    });
    const guarded = config.cookieCache.enabled ? endingCachedFirst(store, advance) : store;
    return renewingSnapshots(guarded, copies);
  }
  // With both stores, the rows write the audit.
  const generation = choice.generation ?? createRedisGeneration(redis);
  const cache = createRedisSessionStore({
    ...inRedis,
    keyOf: (kind, tag) => keyOf(`${kind}:${generation()}`, tag),
    recordAudit: async () => {},
    recordEnd: async () => {},
    recordImported: async () => {},
  });
  return renewingSnapshots(
    createDoubleSessionStore(ofOneGeneration(cache, generation), rows()),
    copies,
  );
};
