import type { Deps } from "../deps.ts";
import type { GuessLimit } from "./queries.ts";

/** Returns the limit of wrong codes for an address and a purpose. */
export const guessLimit = ({ clock, config }: Pick<Deps, "clock" | "config">): GuessLimit => ({
  ...config.emailOTP.guesses,
  now: new Date(clock()),
});
