type Search = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Reads the search part of an address as plain names and texts: of a name that comes twice the last one counts. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** The other way round; what is undefined or empty is left out. */
export const stringifySearch = (search: Search): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  const text = given.toString();
  return text && `?${text}`;
};
