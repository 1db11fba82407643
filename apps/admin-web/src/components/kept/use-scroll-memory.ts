import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { keep, readKept } from "./kept-values.ts";
import { placeKeyOf } from "./resumed-place.ts";

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
    const savedTop = readKept(here) ?? readKept(before);
    const isNew = lastShown.current !== shown;
    lastShown.current = shown;
    if (isNew) element.scrollTo({ top: 0 });
    const stop =
      typeof savedTop === "number" && savedTop > 0
        ? scrollWhenFilled(element, savedTop)
        : undefined;
    top.current = typeof savedTop === "number" ? savedTop : element.scrollTop;
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
