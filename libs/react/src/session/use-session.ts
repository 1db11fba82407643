"use client";

import { useSyncExternalStore } from "react";
import { useLatchkeyContext } from "../latchkey-context.ts";
import type { SessionState } from "./session.ts";

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
