import type { UserRow } from "./user-row.ts";

/** A ban holds until it expires, or for good. `now` in ms since the epoch. */
export const isBanned = (
  { banned, banExpires }: Pick<UserRow, "banned" | "banExpires">,
  now: number,
): boolean => banned && (banExpires === null || banExpires.getTime() > now);
