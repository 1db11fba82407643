import type { Caller } from "@latchkey/contracts";

const attempts = new WeakMap<Caller, string>();

/** Records the user whom a sign-in names, so that a refusal counts for this user. Costs the same whatever follows. */
export const nameAttemptedUser = (caller: Caller, userId: string): void => {
  attempts.set(caller, userId);
};

/** Returns the user whom the sign-in of a request names, or undefined if it names no known user. */
export const attemptedUserOf = (caller: Caller): string | undefined => attempts.get(caller);
