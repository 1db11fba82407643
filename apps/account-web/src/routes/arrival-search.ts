/** The search of every page that may lead to a sign-in. */
export interface ArrivalSearch {
  /** The address to which the user returns once signed in. The server checks addresses of other origins. */
  redirect_to?: string | undefined;
}

const addressLengthMax = 2048;

/** Reads one text of an address. Anyone can write an address, so anything else is ignored. */
export const textOf = (value: unknown, lengthMax = addressLengthMax): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= lengthMax ? value : undefined;

/** The search of the pages on which a user signs in or up. */
export interface EntrySearch extends ArrivalSearch {
  /** Fills in the email. Anyone can write it, so it proves nothing. */
  email?: string | undefined;
  /** Somebody signs in beside the users of this browser. Users who are signed in are then not led on. */
  add?: "true" | undefined;
}

export const arrivalSearch = (search: Readonly<Record<string, unknown>>): ArrivalSearch => ({
  redirect_to: textOf(search["redirect_to"]),
});

export const entrySearch = (search: Readonly<Record<string, unknown>>): EntrySearch => ({
  ...arrivalSearch(search),
  email: textOf(search["email"], 320),
  add: search["add"] === "true" ? "true" : undefined,
});
