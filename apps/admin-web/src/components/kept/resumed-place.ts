import type { HistoryState } from "@tanstack/react-router";
import { discardKept, keep, readKept } from "./kept-values.ts";

/** The place in the history to which the user returned by signing in again. */
interface ResumedPlace {
  readonly key?: string | undefined;
}

declare module "@tanstack/history" {
  interface HistoryState {
    resumed?: ResumedPlace;
  }
}

const name = "left";

/** Returns the router's key of a place in the history. */
export const placeKeyOf = (state: HistoryState & { __TSR_key?: string }): string | undefined =>
  // oxlint-disable-next-line no-underscore-dangle -- the router names it so
  state.__TSR_key;

interface Place {
  href: string;
  state: HistoryState;
}

/** Remembers the place that the user leaves to sign in again: its scroll positions and its earlier pages. */
export const rememberPlace = ({ href, state }: Place): void => {
  const { trail } = state;
  keep(name, { href, state: { resumed: { key: placeKeyOf(state) }, ...(trail && { trail }) } });
};

/** Returns the state of the place that the user left at an address, once. Undefined if they did not leave it to sign in again. */
export const takeResumedState = (href: string): HistoryState | undefined => {
  // Only `rememberPlace` writes this value.
  const place = readKept(name) as Place | undefined;
  discardKept(name);
  return place?.href === href ? place.state : undefined;
};
