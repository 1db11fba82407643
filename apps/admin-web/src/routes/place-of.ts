import type { NavigateOptions } from "@tanstack/react-router";
import { parseSearch } from "./search-text.ts";

const here = "http://here.invalid";

/** Whether it is a path of this web, and never another site; a URL passes over tabs and line breaks, so that they hide one. */
export const isPlace = (href: string): boolean =>
  /^\/[^\t\r\n]*$/.test(href) && URL.canParse(href, here) && new URL(href, here).origin === here;

/** A path of this web with its search, as navigation takes it. It leads nowhere else, whatever it looks like. */
export const placeOf = (href: string): NavigateOptions => {
  const { pathname, search } = new URL(href, here);
  // The address of some screen; which one that is, the router finds out. It would take what follows a $ for a param.
  return {
    to: pathname.replaceAll("$", "%24"),
    search: parseSearch(search),
  } as unknown as NavigateOptions;
};
