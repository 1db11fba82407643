import type { Caller } from "@latchkey/contracts";

/** A session that is kept aside. */
export type ParkedSession = NonNullable<Caller["parkedSession"]>;

/** The value of the marker cookie, and of a session that has one. */
export const marker = "true";

/** Formats a parked session as one text: its token, a colon, and its marker or nothing. */
export const formatParked = ({ token, browserSession }: ParkedSession): string =>
  `${token}:${browserSession ? marker : ""}`;

/** Parses a text of `formatParked`. Returns undefined for any other text. */
export const parseParked = (text: string | undefined): ParkedSession | undefined => {
  const colon = text?.lastIndexOf(":") ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { token: text.slice(0, colon), browserSession: text.slice(colon + 1) === marker };
};
