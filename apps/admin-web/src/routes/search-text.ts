type Search = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Parses the search part of an address as plain text values. The last of several values of a name wins. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** Formats the search part of an address. Omits undefined and empty values. */
export const stringifySearch = (search: Search): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  const text = given.toString();
  return text && `?${text}`;
};
