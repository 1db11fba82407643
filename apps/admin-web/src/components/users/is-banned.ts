import type { User } from "./user.ts";

/** A ban that has ended counts no more, though it stands there until the next sign-in. */
export const isBanned = (
  { banned, banExpires }: Pick<User, "banned" | "banExpires">,
  now: Date,
): boolean => banned === true && (!banExpires || new Date(banExpires) > now);
