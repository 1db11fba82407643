import type { UserRow } from "./user-row.ts";

/** A ban is in force until it expires, or permanently. `now` in ms since the epoch. */
export const isBanned = (
  { banned, banExpires }: Pick<UserRow, "banned" | "banExpires">,
  now: number,
): boolean => banned && (banExpires === null || banExpires.getTime() > now);
