import { isEmailAddress, WireError } from "@latchkey/contracts";
import { isPlaceholderEmail } from "./placeholder-email.ts";

/**
 * Returns an address in lower case. Throws `INVALID_EMAIL`, also for any address below `.invalid`. Those receive no mail,
 * and some are placeholders of users whose provider sends no address. Taking such an address would lock out its user.
 */
export const readEmail = (given: unknown): string => {
  const email = isEmailAddress(given) ? given.toLowerCase() : undefined;
  if (email === undefined || isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  return email;
};
