import { isEmailAddress, WireError } from "@latchkey/contracts";
import { isPlaceholderEmail } from "../providers/placeholder-email.ts";

/**
 * An address that somebody names as a user's, in lower case. Throws `INVALID_EMAIL`, also for one that stands for none: who
 * has one of those came by a provider, and whoever takes theirs first would keep them out.
 */
export const readEmail = (given: unknown): string => {
  const email = isEmailAddress(given) ? given.toLowerCase() : undefined;
  if (email === undefined || isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  return email;
};
