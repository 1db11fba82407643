/** Adds parameters to the query of a URL, which may be relative and have a fragment. */
export const addQuery = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const [page = ""] = url.split("#", 1);
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return `${page}${page.includes("?") ? "&" : "?"}${text}${url.slice(page.length)}`;
};
