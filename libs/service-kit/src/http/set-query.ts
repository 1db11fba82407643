import { encodeQueryValue } from "./escape-text.ts";

/** Splits a URL, which may be relative, into page, query without its `?`, and fragment with its `#`. */
export const splitUrl = (
  url: string,
): { page: string; query: string | undefined; fragment: string } => {
  const [beforeFragment = ""] = url.split("#", 1);
  const mark = beforeFragment.indexOf("?");
  return {
    page: mark < 0 ? beforeFragment : beforeFragment.slice(0, mark),
    query: mark < 0 ? undefined : beforeFragment.slice(mark + 1),
    fragment: url.slice(beforeFragment.length),
  };
};

/** Returns the name of a part of a query as forms encode it. An invalid encoding stays as it is. */
const nameOf = (part: string): string | undefined => [...new URLSearchParams(part).keys()][0];

/** Encodes what no header may contain. */
const asHeader = (url: string): string =>
  url.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter));

/**
 * Sets parameters in the query of a URL, which may be relative and have a fragment. They replace parameters of the same names and of those in
 * `removed`. The rest of the query and the fragment stay byte for byte, because an application may compare or sign them.
 */
export const setQuery = (
  url: string,
  parameters: Readonly<Record<string, string>>,
  removed: readonly string[] = [],
): string => {
  const { page, query, fragment } = splitUrl(url);
  const replaced = new Set([...Object.keys(parameters), ...removed]);
  const parts = query?.split("&").filter((part) => !replaced.has(nameOf(part) ?? "")) ?? [];
  const added = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeQueryValue(value)}`,
  );
  const ownParts = parts.length === 1 && parts[0] === "" ? [] : parts;
  return asHeader(`${page}?${[...ownParts, ...added].join("&")}${fragment}`);
};
