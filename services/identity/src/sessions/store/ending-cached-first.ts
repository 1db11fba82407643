import type { Caller } from "@latchkey/contracts";
import type { SessionStore } from "./session-store.ts";

/**
 * Redis and the rows do not commit together. The user revision is therefore also incremented before an end or a change. A
 * failure in between thus leaves no valid cached session that has ended or works in another organization.
 */
export const endingCachedFirst = (
  store: SessionStore,
  advance: (userId: string, caller?: Caller) => Promise<void>,
): SessionStore => ({
  ...store,
  revoke: async (session, audit) => {
    await advance(session.userId, audit.caller);
    return store.revoke(session, audit);
  },
  revokeAll: async (userId, except, audit) => {
    await advance(userId, audit.caller);
    await store.revokeAll(userId, except, audit);
  },
  chooseOrganization: async (session, organizationId, caller) => {
    await advance(session.userId, caller);
    return store.chooseOrganization(session, organizationId, caller);
  },
  changeFields: async (session, change, caller) => {
    await advance(session.userId, caller);
    return store.changeFields(session, change, caller);
  },
  forgetOrganization: async (userId, organizationId, caller) => {
    await advance(userId, caller);
    return store.forgetOrganization(userId, organizationId, caller);
  },
});
