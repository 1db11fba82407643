"use client";

import { createContext, useContext } from "react";
import type { SessionStore } from "./session/session-store.ts";

/** All that the hooks and components share. */
export interface LatchkeyContextValue {
  store: SessionStore;
  /** The address of the account pages, without a slash at its end. */
  accountUrl: string;
}

export const LatchkeyContext = createContext<LatchkeyContextValue | undefined>(undefined);

/** Returns the value of the provider. Throws outside of one. */
export const useLatchkeyContext = (): LatchkeyContextValue => {
  const value = useContext(LatchkeyContext);
  if (value) return value;
  throw new Error("Latchkey's hooks and components need a <LatchkeyProvider> above them");
};
