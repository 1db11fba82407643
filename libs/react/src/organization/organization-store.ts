import type { SessionStore } from "../session/session-store.ts";
import type { Organization, OrganizationsState } from "./organization.ts";

/** The organizations of the signed-in user, fetched when a component needs them. */
export interface OrganizationStore {
  read(): OrganizationsState;
  readInitial(): OrganizationsState;
  subscribe(listener: () => void): () => void;
  /** Fetches the list again. Never rejects: a failure is part of the state. */
  refresh(): Promise<void>;
  /** Changes the active organization of the session. Rejects with a `LatchkeyError`. */
  setActive(organizationId: string | null): Promise<void>;
}

const loading = {
  status: "loading",
  organizations: [],
  error: null,
} as const satisfies OrganizationsState;

const create = (session: SessionStore): OrganizationStore => {
  let state: OrganizationsState = loading;
  /** The user whose organizations are in the state, or are being fetched. */
  let userId: string | undefined;
  const listeners = new Set<() => void>();
  let stopFollowing = () => {};

  const change = (next: OrganizationsState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const refresh = async (): Promise<void> => {
    const requestedUserId = userId;
    if (requestedUserId === undefined) return;
    const next = await session.call("/organization/list").then(
      (reply): OrganizationsState => ({
        status: "ready",
        organizations: reply as Organization[],
        error: null,
      }),
      (error: Error): OrganizationsState => ({ status: "error", organizations: [], error }),
    );
    // The list of an earlier user must not be shown to the next one.
    if (requestedUserId === userId) change(next);
  };
  const follow = (): void => {
    const current = session.read().user?.id;
    if (current === userId) return;
    userId = current;
    if (state !== loading) change(loading);
    void refresh();
  };

  return {
    read: () => state,
    readInitial: () => loading,
    refresh,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) {
        stopFollowing = session.subscribe(follow);
        follow();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopFollowing();
      };
    },
    setActive: async (organizationId) => {
      await session.call("/organization/set-active", { organizationId });
      await session.refresh();
    },
  };
};

const stores = new WeakMap<SessionStore, OrganizationStore>();

/** Returns the store that belongs to a session store. Applications without organizations do not load this code. */
export const organizationStoreOf = (session: SessionStore): OrganizationStore => {
  const store = stores.get(session) ?? create(session);
  stores.set(session, store);
  return store;
};
