import type { Caller } from "@latchkey/contracts";
import {
  appendAudit,
  type AuditEntry,
  lookUpTogether,
  takeOverTransaction,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { insertAdopted } from "../take-over/insert-adopted.ts";
import { lockUser } from "../users/lock-user.ts";
import {
  clearActiveOrganization,
  deleteExpiredSession,
  extendSessionRow,
  findSessions,
  insertSession,
  listOrganizationHolders,
  listSessionRows,
  lockSessionHolder,
  revokeSessionRow,
  revokeSessionRows,
  updateActiveOrganization,
} from "./queries.ts";
import type { FoundSession, SessionStore } from "./session-store.ts";

export interface PostgresSessionStoreOptions {
  db: Kysely<Tables>;
  clock: () => number;
  /** Revoked rows stay, marked as revoked. */
  keepRevoked: boolean;
  /** Keeps what was ended, and moves the user to the next epoch. */
  recordEnd: (trx: Kysely<Tables>, userId: string, audit: AuditEntry) => Promise<void>;
  /** Moves the user to the next epoch. */
  recordChange: (trx: Kysely<Tables>, userId: string, caller: Caller | undefined) => Promise<void>;
}

/**
 * Sessions as rows; a session always shows its user's row of the moment. What ends or changes sessions locks their user
 * first, as a deletion of the user does, so that the two never wait for each other.
 */
export const createPostgresSessionStore = (options: PostgresSessionStoreOptions): SessionStore => {
  const { db, recordEnd, recordChange } = options;
  const keep = () => (options.keepRevoked ? new Date(options.clock()) : undefined);
  return {
    copiesUser: false,
    insert: (session, user, audit) =>
      db.transaction().execute(async (trx) => {
        if (!(await lockSessionHolder(trx, user.id, session.createdAt))) return false;
        await insertSession(trx, session);
        await appendAudit(trx, options, audit);
        return true;
      }),
    adopt: (sessions, note) =>
      takeOverTransaction(db, async (trx) => note(trx, await insertAdopted(trx, sessions))),
    find: lookUpTogether<Buffer, FoundSession>({
      read: (tokenHashes) => findSessions(db, tokenHashes),
      nameOf: (tokenHash) => tokenHash.toString("latin1"),
      keyOf: ({ session }) => session.tokenHash,
    }),
    extend: (tokenHash, seen, to) =>
      extendSessionRow(db, { tokenHash, seenUpdatedAt: seen.updatedAt }, to),
    deleteExpired: (tokenHash, now) => deleteExpiredSession(db, tokenHash, now),
    revoke: ({ tokenHash, userId }, audit) =>
      db.transaction().execute(async (trx) => {
        await lockUser(trx, userId);
        const revoked = await revokeSessionRow(trx, tokenHash, keep());
        if (revoked) await recordEnd(trx, userId, audit);
        return revoked;
      }),
    revokeAll: (userId, except, audit) =>
      db.transaction().execute(async (trx) => {
        await lockUser(trx, userId);
        await revokeSessionRows(trx, userId, { except, keep: keep() });
        await recordEnd(trx, userId, audit);
      }),
    chooseOrganization: ({ tokenHash, userId }, organizationId, caller) =>
      db.transaction().execute(async (trx) => {
        await lockUser(trx, userId);
        const chosen = await updateActiveOrganization(trx, tokenHash, organizationId);
        if (chosen) await recordChange(trx, userId, caller);
        return chosen;
      }),
    listOrganizationHolders: (userIds, organizationId) =>
      listOrganizationHolders(db, userIds, organizationId),
    forgetOrganization: (userId, organizationId, caller) =>
      db.transaction().execute(async (trx) => {
        await lockUser(trx, userId);
        const forgotten = await clearActiveOrganization(trx, userId, organizationId);
        if (forgotten) await recordChange(trx, userId, caller);
        return forgotten;
      }),
    list: (userId, now, limit) => listSessionRows(db, userId, { now, limit }),
    renewUser: async () => {},
  };
};
