"use client";

import { useSyncExternalStore } from "react";
import { useLatchkeyContext } from "../latchkey-context.ts";
import type { SessionState, User } from "./session.ts";

/** The session in this browser, and operations on it. Both are stable between renderings. */
export type UseSession = SessionState & {
  /** Fetches the session again, such as after a change of the profile. Never rejects: a failure becomes `error`. */
  refresh: () => Promise<void>;
  /** Ends the session in this browser. Rejects with a `LatchkeyError`, and the user is then still signed in. */
  signOut: () => Promise<void>;
};

/** Returns the state of the session in this browser. Throws outside of a `<LatchkeyProvider>`. */
export const useSession = (): UseSession => {
  const { store } = useLatchkeyContext();
  const state = useSyncExternalStore(store.subscribe, store.read, store.readInitial);
  return { ...state, refresh: store.refresh, signOut: store.signOut };
};

/**
 * Returns the signed-in user. Null if there is none, and while that is not known: `useSession` tells these apart. `Fields` has the types
 * of the additional fields of users.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the application can name its fields
export const useUser = <Fields extends object = object>(): (User & Fields) | null =>
  useSession().user as (User & Fields) | null;
