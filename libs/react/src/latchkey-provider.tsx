"use client";

import { type ReactNode, useMemo, useState } from "react";
import { createCaller } from "./client/create-caller.ts";
import { LatchkeyContext } from "./latchkey-context.ts";
import type { SignedInSession } from "./session/session.ts";
import { watchOtherTabs } from "./session/other-tabs.ts";
import { createSessionStore } from "./session/session-store.ts";

export interface LatchkeyProviderProps {
  /** The base URL of Latchkey with its path, such as `https://auth.example.com/api/auth`, or `/api/auth` behind a rewrite. */
  url: string;
  /** The path of the account pages at the origin of `url`. Default: `/account`. */
  accountPath?: string | undefined;
  /**
   * The session that your server found, or null for none, so that the first rendering is final. Without it the browser fetches the
   * session. Only its first value counts.
   */
  initialSession?: SignedInSession | null | undefined;
  /** Replaces the global `fetch`. Only its first value counts. */
  fetch?: typeof globalThis.fetch | undefined;
  children?: ReactNode;
}

/** Without an origin in the base URL, the pages of the application rewrite both paths to Latchkey. */
const accountUrlOf = (base: string, path: string): string =>
  (URL.canParse(base) ? new URL(path, base).href : path).replace(/\/+$/, "");

/** Shares the session in this browser with the hooks and components below. */
export const LatchkeyProvider = ({
  url,
  accountPath = "/account",
  initialSession,
  fetch,
  children,
}: LatchkeyProviderProps) => {
  const base = url.replace(/\/+$/, "");
  const [initial] = useState(() => ({ session: initialSession, fetch }));
  const store = useMemo(() => {
    const call = createCaller({ url: base, fetch: initial.fetch });
    const watch = (onChange: () => void) => watchOtherTabs(base, onChange);
    return createSessionStore(call, { initial: initial.session, watch });
  }, [base, initial]);
  const accountUrl = accountUrlOf(base, accountPath);
  const value = useMemo(() => ({ store, accountUrl }), [store, accountUrl]);
  return <LatchkeyContext.Provider value={value}>{children}</LatchkeyContext.Provider>;
};
