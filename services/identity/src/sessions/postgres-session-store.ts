import { appendAudit, auditRow, isMissingReference } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { toUser } from "../users/user-row.ts";
import {
  deleteExpiredSession,
  findSession,
  insertSession,
  listSessionRows,
  revokeSessionRow,
  revokeSessionRows,
  updateSessionExpiry,
} from "./queries.ts";
import type { SessionStore } from "./session-store.ts";

export interface PostgresSessionStoreOptions {
  db: Kysely<Tables>;
  clock: () => number;
  /** Revoked rows stay, marked as revoked. */
  keepRevoked: boolean;
}

/** Sessions as rows; a session always shows its user's row of the moment. */
export const createPostgresSessionStore = (options: PostgresSessionStoreOptions): SessionStore => {
  const { db } = options;
  const keep = () => (options.keepRevoked ? new Date(options.clock()) : undefined);
  return {
    copiesUser: false,
    insert: async (session, _user, audit) => {
      try {
        await insertSession(db, session, auditRow(options, audit));
        return true;
      } catch (error) {
        if (isMissingReference(error)) return false;
        throw error;
      }
    },
    find: async (tokenHash) => {
      const found = await findSession(db, tokenHash);
      return found && { session: found.session, user: toUser(found.user) };
    },
    extend: (tokenHash, seen, to) =>
      updateSessionExpiry(db, { tokenHash, seenUpdatedAt: seen.updatedAt, ...to }),
    deleteExpired: (tokenHash, now) => deleteExpiredSession(db, tokenHash, now),
    revoke: ({ tokenHash }, audit) =>
      db.transaction().execute(async (trx) => {
        const revoked = await revokeSessionRow(trx, tokenHash, keep());
        if (revoked) await appendAudit(trx, options, audit);
        return revoked;
      }),
    revokeAll: (userId, except, audit) =>
      db.transaction().execute(async (trx) => {
        await revokeSessionRows(trx, userId, { except, keep: keep() });
        await appendAudit(trx, options, audit);
      }),
    list: (userId, now, limit) => listSessionRows(db, userId, { now, limit }),
    renewUser: async () => {},
  };
};
