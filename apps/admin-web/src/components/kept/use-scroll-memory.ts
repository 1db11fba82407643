import { type HistoryState, useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { keep, readKept } from "./kept-values.ts";

/** The place in the history to which the user returned by signing in again. */
export interface ResumedPlace {
  readonly key?: string | undefined;
}

declare module "@tanstack/history" {
  interface HistoryState {
    resumed?: ResumedPlace;
  }
}

/** Returns the router's key of a place in the history. */
export const placeKeyOf = (state: HistoryState & { __TSR_key?: string }): string | undefined =>
  // oxlint-disable-next-line no-underscore-dangle -- the router names it so
  state.__TSR_key;

/** Signs that the user has begun to scroll. */
const intents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Scrolls as soon as there is enough content, unless the user is faster. Returns a function that gives up. */
const scrollWhenFilled = (element: HTMLElement, top: number): (() => void) => {
  const observer = new MutationObserver(() => attempt());
  const stop = () => {
    observer.disconnect();
    for (const intent of intents) element.removeEventListener(intent, stop);
  };
  const attempt = () => {
    element.scrollTop = top;
    if (element.scrollTop >= top - 1) stop();
  };
  observer.observe(element, { childList: true, subtree: true });
  for (const intent of intents) element.addEventListener(intent, stop, { passive: true });
  attempt();
  return stop;
};

/**
 * Remembers how far an element is scrolled at each place of the history. Scrolls there again when the user returns, by the browser's
 * buttons or by signing in again. Begins at the top when `content` changes, which names what is shown, such as a page of a list.
 */
export const useScrollMemory = (
  scroller: RefObject<HTMLElement | null>,
  name: string,
  content = "",
): void => {
  const { pathname, state } = useLocation();
  const top = useRef(0);
  const shown = `${pathname} ${content}`;
  const lastShown = useRef(shown);
  const here = `scroll.${placeKeyOf(state) ?? ""}.${name}`;
  const before = state.resumed?.key === undefined ? here : `scroll.${state.resumed.key}.${name}`;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const kept = readKept(here) ?? readKept(before);
    const isNew = lastShown.current !== shown;
    lastShown.current = shown;
    if (isNew) element.scrollTo({ top: 0 });
    const stop = typeof kept === "number" && kept > 0 ? scrollWhenFilled(element, kept) : undefined;
    top.current = typeof kept === "number" ? kept : element.scrollTop;
    const remember = () => {
      top.current = element.scrollTop;
    };
    const write = () => keep(here, Math.round(top.current));
    element.addEventListener("scroll", remember, { passive: true });
    window.addEventListener("pagehide", write);
    return () => {
      stop?.();
      element.removeEventListener("scroll", remember);
      window.removeEventListener("pagehide", write);
      write();
    };
  }, [scroller, shown, here, before]);
};
