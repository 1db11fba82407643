import type { User } from "./user.ts";

/** Whether a user is banned now. An expired ban no longer counts, although it stays in the row until the next sign-in. */
export const isBanned = (
  { banned, banExpires }: Pick<User, "banned" | "banExpires">,
  now: Date,
): boolean => banned === true && (!banExpires || new Date(banExpires) > now);
