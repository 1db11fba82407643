import { WireError } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { UserRow } from "../users/user-row.ts";
import { findNumberOwner } from "./queries.ts";

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

interface ProposeNeeds {
  config: Pick<IdentityConfig, "phoneNumber">;
  db: Kysely<Tables>;
}

/**
 * Returns the members that change if an admin sets or removes the number of a user. It is not proven: its user proves it by a code. Throws
 * `INVALID_PHONE_NUMBER` and `PHONE_NUMBER_EXIST`.
 */
export const proposeNumber = async (
  { config, db }: ProposeNeeds,
  { phoneNumber: text }: { phoneNumber?: string | null | undefined },
  user?: UserRow,
): Promise<Partial<Pick<UserRow, "phoneNumber" | "phoneNumberVerified">>> => {
  if (!config.phoneNumber.enabled || text === undefined) return {};
  if (!text) return { phoneNumber: null, phoneNumberVerified: false };
  const { number: phoneNumber } = await readNumber({ config }, text);
  if (phoneNumber === user?.phoneNumber) return {};
  const holder = await findNumberOwner(db, phoneNumber);
  if (holder && holder.id !== user?.id) throw new WireError("PHONE_NUMBER_EXIST");
  return { phoneNumber, phoneNumberVerified: false };
};
