import { WireError } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/** A number to which text messages may be sent. */
export interface PhoneNumber {
  /** In E.164, the one form in which numbers are stored and compared. */
  number: string;
  /** The prefix of the country, such as `49`. */
  callingCode: string;
}

/** The types of numbers that receive messages at an ordinary price. Premium numbers, landlines and pagers do not. */
const acceptedTypes = new Set(["MOBILE", "FIXED_LINE_OR_MOBILE"]);

/**
 * Reads a number in international form. Returns undefined for one that is not valid, is not of an accepted country, or is not a mobile
 * number. Numbers of satellites and of international networks are of no country.
 */
export const parseNumber = async (
  { phoneNumber: { allowedCountries } }: Pick<IdentityConfig, "phoneNumber">,
  text: string,
): Promise<PhoneNumber | undefined> => {
  // Loaded here, because the complete metadata needs 3 MB, and most installations have no phone numbers.
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/max");
  const parsed = parsePhoneNumberFromString(text);
  if (!parsed?.country || !allowedCountries.includes(parsed.country)) return undefined;
  const isAccepted =
    parsed.isValid() && parsed.ext === undefined && acceptedTypes.has(parsed.getType() ?? "");
  return isAccepted ? { number: parsed.number, callingCode: parsed.countryCallingCode } : undefined;
};

/** Reads a number from a request. Throws `INVALID_PHONE_NUMBER`. */
export const readNumber = async (
  { config }: { config: Pick<IdentityConfig, "phoneNumber"> },
  text: string,
): Promise<PhoneNumber> => {
  const parsed = await parseNumber(config, text);
  if (!parsed) throw new WireError("INVALID_PHONE_NUMBER");
  return parsed;
};
