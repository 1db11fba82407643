import type { Deps } from "../deps.ts";
import type { GuessRule } from "./queries.ts";

/** Returns the limit of wrong codes for an address and a purpose. */
export const guessRule = ({ clock, config }: Pick<Deps, "clock" | "config">): GuessRule => ({
  ...config.emailOTP.guesses,
  now: new Date(clock()),
});
