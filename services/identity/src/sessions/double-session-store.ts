import type { SessionStore } from "./session-store.ts";

/**
 * Sessions in two stores: `rows` is the truth, `cache` answers first. What begins is written to the rows first and what
 * ends is taken from the cache first, so that a crash in between leaves no session that the rows know nothing of. A cache
 * that lost a session is not filled again by reading, because a revocation could pass in between.
 */
export const createDoubleSessionStore = (
  cache: SessionStore,
  rows: SessionStore,
): SessionStore => ({
  copiesUser: true,
  insert: async (session, user, audit) => {
    if (!(await rows.insert(session, user, audit))) return false;
    await cache.insert(session, user, audit);
    // A revocation in between has taken the row, and found nothing in the cache yet.
    if (await rows.find(session.tokenHash)) return true;
    await cache.revoke(session, audit);
    return false;
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
  list: (userId, now, limit) => rows.list(userId, now, limit),
  renewUser: (user) => cache.renewUser(user),
});
