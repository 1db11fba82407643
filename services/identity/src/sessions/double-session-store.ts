import type { SessionStore, StoredSession } from "./session-store.ts";

type Changes = Pick<
  SessionStore,
  "chooseOrganization" | "listOrganizationHolders" | "forgetOrganization"
>;

/** Changes are written to the rows first, so that what the cache is told last is what the rows say. */
const createChanges = (cache: SessionStore, rows: SessionStore): Changes => ({
  chooseOrganization: async (session, organizationId, caller) => {
    const chosen = await rows.chooseOrganization(session, organizationId, caller);
    if (chosen) await settle({ cache, rows }, session, organizationId);
    return chosen;
  },
  listOrganizationHolders: async (userIds, organizationId) => {
    const holders = await Promise.all(
      [rows, cache].map((store) => store.listOrganizationHolders(userIds, organizationId)),
    );
    return [...new Set(holders.flat())];
  },
  forgetOrganization: async (userId, organizationId, caller) => {
    const forgotten = await rows.forgetOrganization(userId, organizationId, caller);
    // Also where the rows had it no more: a crash may have left it in the cache.
    return (await cache.forgetOrganization(userId, organizationId)) || forgotten;
  },
});

/** Tells the cache the organization of a session, until it is what the row says still: others may change it meanwhile. */
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

const justAfter = (moment: Date) => new Date(moment.getTime() + 1);

/** What happened to a session since it was in the rows found nothing in the cache yet. False when it has ended. */
const catchUp = async (
  stores: { cache: SessionStore; rows: SessionStore },
  session: StoredSession,
): Promise<boolean> => {
  const held = await stores.rows.find(session.tokenHash);
  // Nobody extends what has ended, so it goes from the cache as what has expired does.
  if (!held) await stores.cache.deleteExpired(session.tokenHash, justAfter(session.expiresAt));
  else if (held.session.activeOrganizationId !== session.activeOrganizationId)
    await settle(stores, session, held.session.activeOrganizationId);
  return held !== undefined;
};

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
    return catchUp({ cache, rows }, session);
  },
  adopt: async (sessions, note) => {
    let begun: ReadonlySet<string> = new Set();
    await rows.adopt(sessions, (trx, hashes) => {
      begun = hashes;
      return note(trx, hashes);
    });
    const adopted = sessions.filter(({ session }) => begun.has(session.tokenHash.toString("hex")));
    await cache.adopt(adopted, note);
    await Promise.all(adopted.map(({ session }) => catchUp({ cache, rows }, session)));
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
