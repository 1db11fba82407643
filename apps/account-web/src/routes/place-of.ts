import type { NavigateOptions } from "@tanstack/react-router";
import { parseSearch } from "./search-text.ts";

const here = "http://here.invalid";

/** Returns navigation options for a path of this web with its search. They never lead to another site. */
export const placeOf = (href: string): NavigateOptions => {
  const { pathname, search } = new URL(href, here);
  // The router resolves the screen from the path. The cast avoids typed params, where it would read text after a $ as a param.
  return {
    to: pathname.replaceAll("$", "%24"),
    search: parseSearch(search),
  } as unknown as NavigateOptions;
};
