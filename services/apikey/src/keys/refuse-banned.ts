import { type FullUser, WireError } from "@latchkey/contracts";

/** Throws `USER_BANNED` for a user whose ban is in force at `now`, in ms since the Unix epoch. */
export const refuseBanned = (
  { banned, banExpires }: Pick<FullUser, "banExpires" | "banned">,
  now: number,
): void => {
  if (banned === true && (!banExpires || banExpires.getTime() > now))
    throw new WireError("USER_BANNED");
};
