import { ApiError } from "./api-error.ts";

/** What may stand in a path or a query. */
export type UrlValue = string | number | boolean | null | undefined;

/** A dot segment would be another path by the time it arrives; the rest no path of an operation takes. */
const isSegment = (text: string): boolean =>
  text.length <= 255 && text.isWellFormed() && !text.includes("\0") && !/^\.{0,2}$/.test(text);

const fillPath = (path: string, params: Readonly<Record<string, UrlValue>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || !isSegment(String(value)))
      throw new ApiError({ status: 404, body: { message: "Nothing is at this address" } });
    return encodeURIComponent(String(value));
  });

/**
 * Path and query of an operation below the base path; what is undefined or empty is left out of the query. What can be no part of
 * a path is not there.
 */
export const operationUrl = (
  path: string,
  params: Readonly<Record<string, UrlValue>> = {},
  query: Readonly<Record<string, UrlValue>> = {},
): string => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") asked.set(name, String(value));
  const text = asked.toString();
  return fillPath(path, params) + (text ? `?${text}` : "");
};
