import { ApiError } from "./api-error.ts";

/** A value allowed in a path or a query. */
export type UrlValue = string | number | boolean | null | undefined;

/** A list in a query becomes a parameter for each value. */
export type QueryValue = UrlValue | readonly string[];

/** Rejects dot segments, which browsers resolve to another path, and values that no operation accepts in a path. */
const isSegment = (text: string): boolean =>
  text.length <= 255 && text.isWellFormed() && !text.includes("\0") && !/^\.{0,2}$/.test(text);

const fillPath = (path: string, params: Readonly<Record<string, UrlValue>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || !isSegment(String(value)))
      throw new ApiError({ status: 404, body: { message: "Page not found" } });
    return encodeURIComponent(String(value));
  });

/**
 * Returns the path and query of an operation below the base path. Omits undefined and empty values from the query. Throws a 404
 * `ApiError` for a param that is not allowed in a path segment.
 */
export const operationUrl = (
  path: string,
  params: Readonly<Record<string, UrlValue>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string => {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat())
      if (value !== undefined && value !== null && value !== "")
        parameters.append(name, String(value));
  const text = parameters.toString();
  return fillPath(path, params) + (text ? `?${text}` : "");
};
