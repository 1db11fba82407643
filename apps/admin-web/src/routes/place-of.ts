import type { NavigateOptions } from "@tanstack/react-router";
import { parseSearch } from "./search-text.ts";

/** A path of this web with its search, as navigation takes it. It leads nowhere else, whatever it looks like. */
export const placeOf = (href: string): NavigateOptions => {
  const { pathname, search } = new URL(href, "http://here.invalid");
  // The address of some screen; which one that is, the router finds out.
  return { to: pathname, search: parseSearch(search) } as unknown as NavigateOptions;
};
