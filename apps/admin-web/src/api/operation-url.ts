/** What may stand in a path or a query. */
export type UrlValue = string | number | boolean | null | undefined;

const fillPath = (path: string, params: Readonly<Record<string, UrlValue>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    // A dot segment would be another path by the time it arrives.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`the path ${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });

/** Path and query of an operation below the base path; what is undefined or empty is left out of the query. */
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
