import type { Caller } from "@latchkey/contracts";
import type { UserRow } from "../../users/user-row.ts";
import type { SessionStore } from "./session-store.ts";

export interface RenewingSnapshots {
  findUser: (userId: string) => Promise<UserRow | undefined>;
  /** Increments the user revision. */
  advance: (userId: string, caller?: Caller) => Promise<void>;
}

/**
 * Each end of a session and each change of its organization increments the user revision, and the user snapshots in
 * sessions follow. After a change this happens here, once no store has the old organization any more.
 */
export const renewingSnapshots = (
  store: SessionStore,
  { findUser, advance }: RenewingSnapshots,
): SessionStore => {
  const renew = async (userId: string) => {
    const user = await findUser(userId);
    if (user) await store.renewUser(user);
  };
  const moveOn = async (userId: string, caller: Caller | undefined) => {
    await advance(userId, caller);
    await renew(userId);
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
    chooseOrganization: async (session, organizationId, caller) => {
      const chosen = await store.chooseOrganization(session, organizationId, caller);
      if (chosen) await moveOn(session.userId, caller);
      return chosen;
    },
    changeFields: async (session, change, caller) => {
      const changed = await store.changeFields(session, change, caller);
      if (changed) await moveOn(session.userId, caller);
      return changed;
    },
    forgetOrganization: async (userId, organizationId, caller) => {
      const forgotten = await store.forgetOrganization(userId, organizationId, caller);
      if (forgotten) await moveOn(userId, caller);
      return forgotten;
    },
  };
};
