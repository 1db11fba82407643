import { isEmailAddress, WireError } from "@latchkey/contracts";
import { isPlaceholderEmail } from "./placeholder-email.ts";

/**
 * An address that somebody names as a user's, in lower case. Throws `INVALID_EMAIL`, also for any below `.invalid`: no mail
 * goes there, some stand for who came by a provider that tells none, and whoever took theirs first would keep them out.
 */
export const readEmail = (given: unknown): string => {
  const email = isEmailAddress(given) ? given.toLowerCase() : undefined;
  if (email === undefined || isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  return email;
};
