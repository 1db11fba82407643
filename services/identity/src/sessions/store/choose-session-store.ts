import type { Caller } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { RedisClient } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import type { UserRow } from "../../users/user-row.ts";
import type { SessionStore, AuditOfEnd } from "./session-store.ts";
import type { IdentityConfig } from "../../config.ts";
import type { Tables } from "../../db/tables.ts";
import { advanceRevision } from "../../user-revisions/advance-revision.ts";
import type { RevisionRecords } from "../../user-revisions/revision-records.ts";
import { findUserById } from "../../users/queries.ts";
import { createPostgresSessionStore } from "./postgres-session-store.ts";
import { createRedisSessionStore } from "./redis-session-store.ts";

interface RevisionsOptions {
  /** True if gateways answer from cached sessions. */
  isCached: boolean;
  findUser: (userId: string) => Promise<UserRow | undefined>;
  /** Increments the user revision. */
  advance: (userId: string, caller?: Caller) => Promise<void>;
}

/**
 * Each end of a session and each change of its organization or fields increments the user revision, and the user snapshots
 * in the sessions follow. Redis and Postgres do not commit together. With cached sessions the revision is therefore also
 * incremented before: a failure in between leaves no valid cached session that has ended or works in another organization.
 */
const withRevisions = (
  store: SessionStore,
  { isCached, findUser, advance }: RevisionsOptions,
): SessionStore => {
  const advanceFirst = async (userId: string, caller: Caller | undefined) => {
    if (isCached) await advance(userId, caller);
  };
  const renew = async (userId: string) => {
    const user = await findUser(userId);
    if (user) await store.renewUser(user);
  };
  const change = async (
    userId: string,
    caller: Caller | undefined,
    write: () => Promise<boolean>,
  ) => {
    await advanceFirst(userId, caller);
    const changed = await write();
    if (!changed) return false;
    await advance(userId, caller);
    await renew(userId);
    return true;
  };
  return {
    ...store,
    revoke: async (session, audit) => {
      await advanceFirst(session.userId, audit.caller);
      const ended = await store.revoke(session, audit);
      if (ended) await renew(session.userId);
      return ended;
    },
    revokeAll: async (userId, except, audit) => {
      await advanceFirst(userId, audit.caller);
      await store.revokeAll(userId, except, audit);
      await renew(userId);
    },
    chooseOrganization: (session, place, caller) =>
      change(session.userId, caller, () => store.chooseOrganization(session, place)),
    changeFields: (session, fields, caller) =>
      change(session.userId, caller, () => store.changeFields(session, fields)),
    forgetOrganization: (userId, place, caller) =>
      change(userId, caller, () => store.forgetOrganization(userId, place)),
  };
};

interface SessionStoreChoice {
  config: IdentityConfig["session"];
  db: Kysely<Tables>;
  redis: RedisClient | undefined;
  clock: () => number;
  revisionRecords: RevisionRecords;
  /** Builds a key in Redis. */
  keyOf: (kind: string, tag: string) => string;
}

/** Names the user in the audit row of a session, by which events name the user. */
const withUser = (audit: AuditEntry, userId: string): AuditEntry =>
  audit.subject.kind === "session" ? { ...audit, before: { ...audit.before, userId } } : audit;

/** Returns the Postgres store without Redis or if the options say so, and the Redis store otherwise. */
export const chooseSessionStore = (choice: SessionStoreChoice): SessionStore => {
  const { config, db, redis, clock, keyOf } = choice;
  const recordChange = (trx: Kysely<Tables>, userId: string, caller: Caller | undefined) =>
    advanceRevision(choice, trx, { userId, caller });
  const recordEnd = async (trx: Kysely<Tables>, userId: string, audit: AuditOfEnd) => {
    if ("action" in audit) await appendAudit(trx, choice, withUser(audit, userId));
    await recordChange(trx, userId, audit.caller);
  };
  if (!redis || config.storeSessionInDatabase) {
    const keepRevoked = config.preserveSessionInDatabase;
    return createPostgresSessionStore({ db, clock, keepRevoked, recordEnd, recordChange });
  }
  const store = createRedisSessionStore({
    redis,
    clock,
    keyOf,
    recordAudit: (audit) => appendAudit(db, choice, audit),
    recordEnd: (userId, audit) => db.transaction().execute((trx) => recordEnd(trx, userId, audit)),
    recordImported: (record) => db.transaction().execute(record),
  });
  return withRevisions(store, {
    isCached: config.cookieCache.enabled,
    findUser: (id) => findUserById(db, id),
    advance: (userId, caller) =>
      db.transaction().execute((trx) => recordChange(trx, userId, caller)),
  });
};
