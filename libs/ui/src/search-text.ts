import type { NavigateOptions } from "@tanstack/react-router";

type Search = Readonly<Record<string, unknown>>;

/** Parses the search part of an address as plain text values. The last of several values of a name wins. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** Formats the search part of an address. Omits empty texts, and everything that is no text, number or boolean. */
export const stringifySearch = (search: Search): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (["string", "number", "boolean"].includes(typeof value) && value !== "")
      params.set(name, String(value));
  // The server refuses an asterisk in an address of its own.
  const text = params.toString().replaceAll("*", "%2A").replaceAll("+", "%20");
  return text && `?${text}`;
};

const here = "http://here.invalid";

/** Returns navigation options for a path of this web with its search. They never lead to another site. */
export const placeOf = (href: string): NavigateOptions => {
  const { pathname, search } = new URL(href, here);
  // The router resolves the screen from the path, and would read text after a $ as a param.
  const to = pathname.replaceAll("$", "%24");
  // Here the path may be any. Inside a web, the router's type knows only the web's routes.
  return { to, search: parseSearch(search) } as NavigateOptions;
};
