import type { Caller } from "../client/create-caller.ts";
import { createRefresh } from "./create-refresh.ts";
import type { OtherTabs } from "./other-tabs.ts";
import type { SessionState, SignedInSession } from "./session.ts";

/** The state of the session, shared by all components below one provider. */
export interface SessionStore {
  call: Caller;
  read(): SessionState;
  /** The state before any answer, which the server and the first rendering in the browser share. */
  readInitial(): SessionState;
  /** The first listener starts the store: it fetches the session unless it was given. */
  subscribe(listener: () => void): () => void;
  /** Resolves with a state that was fetched after the call. Never rejects: a failure is part of the state. */
  refresh(): Promise<void>;
  /** Ends the session. Rejects with a `LatchkeyError`; the user is then still signed in. */
  signOut(): Promise<void>;
}

const empty = { user: null, session: null, error: null } as const;
const loading: SessionState = { status: "loading", ...empty };
const signedOut: SessionState = { status: "signed-out", ...empty };

const stateOf = (found: SignedInSession | null): SessionState =>
  found
    ? { status: "signed-in", error: null, user: found.user, session: found.session }
    : signedOut;

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** A failure says nothing about the session, so a signed-in user stays signed in. */
const withFailure = (state: SessionState, error: Error): SessionState =>
  state.status === "signed-in" ? { ...state, error } : { status: "error", ...empty, error };

/** A GET extends no session if the installation has `session.deferSessionRefresh`. Its reply then requests a POST. */
const fetchReply = async (call: Caller): Promise<unknown> => {
  const reply = (await call("/get-session")) as { needsRefresh?: boolean } | null | undefined;
  return reply?.needsRefresh ? call("/get-session", {}) : reply;
};

/** Returns what `get-session` found. Throws for anything else. */
const readReply = (reply: unknown): SignedInSession | null => {
  if (reply === null) return null;
  const { user, session } = (reply ?? {}) as Partial<SignedInSession>;
  if (user?.id && session?.id) return { user, session };
  throw new Error("The answer is not a session: check the URL of Latchkey");
};

interface StoreOptions {
  /** The session that a server found. Undefined if none has looked. */
  initial: SignedInSession | null | undefined;
  /** Follows the other tabs of the browser. */
  watch: (onChange: () => void) => OtherTabs;
}

/** Creates a store, which does nothing before its first listener. */
export const createSessionStore = (
  call: Caller,
  { initial, watch }: StoreOptions,
): SessionStore => {
  const first = initial === undefined ? loading : stateOf(initial);
  let state = first;
  const listeners = new Set<() => void>();
  /** Counts what changes the state, so that an answer does not overwrite a later one. */
  let changes = 0;

  const change = (next: SessionState): void => {
    changes += 1;
    state = next;
    for (const listener of listeners) listener();
  };
  const fetchSession = async (): Promise<void> => {
    const before = changes;
    let next: SessionState;
    try {
      next = stateOf(readReply(await fetchReply(call)));
    } catch (error) {
      next = withFailure(state, toError(error));
    }
    if (changes === before) change(next);
  };
  const refresh = createRefresh(fetchSession);
  const tabs = watch(() => void refresh());
  let isStarted = false;

  return {
    call,
    read: () => state,
    readInitial: () => first,
    refresh,
    subscribe: (listener) => {
      if (listeners.size === 0) tabs.start();
      listeners.add(listener);
      if (!isStarted && state.status === "loading") void refresh();
      isStarted = true;
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) tabs.stop();
      };
    },
    signOut: async () => {
      await call("/sign-out", {});
      change(signedOut);
      tabs.announce();
    },
  };
};
