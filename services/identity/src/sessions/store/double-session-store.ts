import { isDeepStrictEqual } from "node:util";
import { pickAuthentication } from "./session-entry.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";

type Changes = Pick<
  SessionStore,
  | "changeAuthentication"
  | "changeFields"
  | "chooseOrganization"
  | "listOrganizationHolders"
  | "forgetOrganization"
>;

/** Changes are written to the rows first, so that the last write to the cache has the values of the rows. */
const createChanges = (cache: SessionStore, rows: SessionStore): Changes => ({
  chooseOrganization: async (session, organizationId, caller) => {
    const chosen = await rows.chooseOrganization(session, organizationId, caller);
    if (chosen) await settle({ cache, rows }, session, organizationId);
    return chosen;
  },
  changeFields: async (session, change, caller) => {
    const changed = await rows.changeFields(session, change, caller);
    if (changed) await settleFields({ cache, rows }, session);
    return changed;
  },
  changeAuthentication: async (session, change) => {
    const changed = await rows.changeAuthentication(session, change);
    if (changed) await settleAuthentication({ cache, rows }, session);
    return changed;
  },
  listOrganizationHolders: async (userIds, organizationId) => {
    const holders = await Promise.all(
      [rows, cache].map((store) => store.listOrganizationHolders(userIds, organizationId)),
    );
    return [...new Set(holders.flat())];
  },
  forgetOrganization: async (userId, organizationId, caller) => {
    const forgotten = await rows.forgetOrganization(userId, organizationId, caller);
    // Runs even if the rows had no such organization, because a crash may have left it in the cache.
    return (await cache.forgetOrganization(userId, organizationId)) || forgotten;
  },
});

/** Writes the organization of a session to the cache until it equals the row's. Concurrent changes may happen in between. */
const settle = async (
  stores: { cache: SessionStore; rows: SessionStore },
  session: { tokenHash: Buffer; userId: string },
  organizationId: string | null,
): Promise<void> => {
  const { cache, rows } = stores;
  await cache.chooseOrganization(session, organizationId);
  const held = await rows.find(session.tokenHash);
  const current = held?.session.activeOrganizationId;
  if (current !== undefined && current !== organizationId) await settle(stores, session, current);
};

/**
 * Writes the additional fields of a session to the cache until they equal the row's. Concurrent changes may happen in
 * between.
 */
const settleFields = async (
  stores: { cache: SessionStore; rows: SessionStore },
  session: { tokenHash: Buffer; userId: string },
): Promise<void> => {
  const read = async () => (await stores.rows.find(session.tokenHash))?.session.extra;
  const written = await read();
  if (!written) return;
  await stores.cache.changeFields(session, written);
  if (!isDeepStrictEqual(await read(), written)) await settleFields(stores, session);
};

/** The same for the authentication of a session. */
const settleAuthentication = async (
  stores: { cache: SessionStore; rows: SessionStore },
  session: { tokenHash: Buffer; userId: string },
): Promise<void> => {
  const read = async () => {
    const held = await stores.rows.find(session.tokenHash);
    return held && pickAuthentication(held.session);
  };
  const written = await read();
  if (!written) return;
  await stores.cache.changeAuthentication(session, written);
  if (!isDeepStrictEqual(await read(), written)) await settleAuthentication(stores, session);
};

const justAfter = (moment: Date) => new Date(moment.getTime() + 1);

/**
 * Applies the changes that happened after the session was written to the rows and before it was cached. Returns false if
 * the session has ended.
 */
const catchUp = async (
  stores: { cache: SessionStore; rows: SessionStore },
  session: StoredSession,
): Promise<boolean> => {
  const held = await stores.rows.find(session.tokenHash);
  // No request extends an ended session, so it is removed from the cache like an expired one.
  if (!held) await stores.cache.deleteExpired(session.tokenHash, justAfter(session.expiresAt));
  else if (held.session.activeOrganizationId !== session.activeOrganizationId)
    await settle(stores, session, held.session.activeOrganizationId);
  return held !== undefined;
};

/**
 * Stores sessions in two stores: `rows` is authoritative, `cache` is read first. A new session is written to the rows
 * first, and an ended one is removed from the cache first. A crash in between thus leaves no session that is only in the
 * cache. A cache that lost a session is not refilled on reads, because a revocation could happen in between.
 */
export const createDoubleSessionStore = (
  cache: SessionStore,
  rows: SessionStore,
): SessionStore => ({
  storesUserSnapshots: true,
  insert: async (session, user, audit) => {
    if (!(await rows.insert(session, user, audit))) return false;
    await cache.insert(session, user, audit);
    return catchUp({ cache, rows }, session);
  },
  insertImported: async (sessions, record) => {
    let begun: ReadonlySet<string> = new Set();
    await rows.insertImported(sessions, (trx, hashes) => {
      begun = hashes;
      return record(trx, hashes);
    });
    const imported = sessions.filter(({ session }) => begun.has(session.tokenHash.toString("hex")));
    await cache.insertImported(imported, record);
    await Promise.all(imported.map(({ session }) => catchUp({ cache, rows }, session)));
  },
  find: async (tokenHash) => (await cache.find(tokenHash)) ?? rows.find(tokenHash),
  extend: async (tokenHash, seen, to) => {
    const extended = await rows.extend(tokenHash, seen, to);
    if (extended) await cache.extend(tokenHash, seen, to);
    return extended;
  },
  deleteExpired: async (tokenHash, now) => {
    await rows.deleteExpired(tokenHash, now);
    await cache.deleteExpired(tokenHash, now);
  },
  revoke: async (session, audit) => {
    await cache.revoke(session, audit);
    return rows.revoke(session, audit);
  },
  revokeAll: async (userId, except, audit) => {
    await cache.revokeAll(userId, except, audit);
    await rows.revokeAll(userId, except, audit);
  },
  ...createChanges(cache, rows),
  list: (userId, now, limit) => rows.list(userId, now, limit),
  renewUser: (user) => cache.renewUser(user),
});
