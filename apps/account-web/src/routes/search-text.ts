type Search = Readonly<Record<string, unknown>>;

/** Parses the search part of an address as plain text values. The last of several values of a name wins. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** Formats the search part of an address. Omits everything but texts. */
export const stringifySearch = (search: Search): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (typeof value === "string" && value !== "") given.set(name, value);
  // The server refuses an asterisk in an address of its own.
  const text = given.toString().replaceAll("*", "%2A");
  return text && `?${text}`;
};
