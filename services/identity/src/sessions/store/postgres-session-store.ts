import type { Caller } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { inBatches, lookUpTogether } from "@latchkey/service-kit/database";
import { importTransaction } from "@latchkey/service-kit/import";
import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { lockUser } from "../../users/queries.ts";
import {
  clearActiveOrganization,
  deleteExpiredSession,
  deleteExpiredSessions,
  extendSessionRow,
  findSessions,
  insertSession,
  listOrganizationHolders,
  listSessionRows,
  lockSession,
  lockSessionHolder,
  revokeSessionRow,
  revokeSessionRows,
  updateSession,
  insertSessions,
} from "../queries.ts";
import type { AuditOfEnd, FoundSession, SessionPlace, SessionStore } from "./session-store.ts";

export interface PostgresSessionStoreOptions {
  db: Kysely<Tables>;
  clock: () => number;
  /** Keeps revoked rows, marked as revoked. */
  keepRevoked: boolean;
  /** Writes the audit row of an end and increments the user revision. */
  recordEnd: (trx: Kysely<Tables>, userId: string, audit: AuditOfEnd) => Promise<void>;
  /** Increments the user revision. */
  recordChange: (trx: Kysely<Tables>, userId: string, caller: Caller | undefined) => Promise<void>;
}

const placeColumns = (place: SessionPlace | null) => ({
  activeOrganizationId: place?.organizationId ?? null,
  activeTeamId: place?.teamId ?? null,
});

/** An end of the session waits for the lock, so that its audit row comes later. */
const recordUse = (
  options: PostgresSessionStoreOptions,
  tokenHash: Buffer,
  audit: AuditEntry,
): Promise<boolean> =>
  options.db.transaction().execute(async (trx) => {
    if (!(await lockSession(trx, tokenHash))) return false;
    await appendAudit(trx, options, audit);
    return true;
  });

/**
 * Stores sessions as rows. A session always shows the current row of its user. Statements that end or change sessions
 * lock their user first, as a deletion of the user does, so that they do not deadlock.
 */
export const createPostgresSessionStore = (options: PostgresSessionStoreOptions): SessionStore => {
  const { db, recordEnd, recordChange } = options;
  const change = (
    userId: string,
    caller: Caller | undefined,
    write: (trx: Kysely<Tables>) => Promise<boolean>,
  ) =>
    db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      const changed = await write(trx);
      if (changed) await recordChange(trx, userId, caller);
      return changed;
    });
  const keep = () => (options.keepRevoked ? new Date(options.clock()) : undefined);
  return {
    storesUserSnapshots: false,
    insert: (session, user, audit) =>
      db.transaction().execute(async (trx) => {
        if (!(await lockSessionHolder(trx, user.id, { now: session.createdAt }))) return false;
        await insertSession(trx, session);
        await appendAudit(trx, options, audit);
        return true;
      }),
    insertImported: (sessions, record) =>
      importTransaction(db, async (trx) => record(trx, await insertSessions(trx, sessions))),
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
    chooseOrganization: ({ tokenHash, userId }, place, caller) =>
      change(userId, caller, (trx) => updateSession(trx, tokenHash, placeColumns(place))),
    changeFields: ({ tokenHash, userId }, fields, caller) =>
      change(userId, caller, (trx) => updateSession(trx, tokenHash, { fields })),
    changeAuthentication: ({ tokenHash }, authentication) =>
      updateSession(db, tokenHash, { authentication }),
    recordUse: ({ tokenHash }, audit) => recordUse(options, tokenHash, audit),
    listOrganizationHolders: (userIds, place) => listOrganizationHolders(db, userIds, place),
    forgetOrganization: (userId, place, caller) =>
      change(userId, caller, (trx) => clearActiveOrganization(trx, userId, place)),
    list: (userId, now, limit) => listSessionRows(db, { userId, now, limit }),
    renewUser: async () => {},
  };
};

const batchSize = 1_000;

/** Deletes the rows of expired sessions. Returns the number. */
export const sweepSessions = ({
  clock,
  db,
}: Pick<PostgresSessionStoreOptions, "clock" | "db">): Promise<number> => {
  const now = new Date(clock());
  return inBatches(batchSize, (limit) => deleteExpiredSessions(db, now, limit));
};
