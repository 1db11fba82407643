import { createHash } from "node:crypto";
import {
  normalizeEmail,
  WireError,
  type Caller,
  chooseMailLocale,
  type MailLocaleMember,
} from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { findLocale } from "./queries.ts";

const safe = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const hashed = /^[0-9a-f]{40}$/;
/** How the addresses of users end who have none. */
export const placeholderEnd = ".invalid";

/**
 * Returns an address for a user whose provider sends none. It can receive no mail (RFC 2606), is unique to the user and
 * is never verified. Ids that differ only in letter case get different addresses.
 */
export const placeholderEmail = (provider: string, id: string): string => {
  const local =
    safe.test(id) && id.length <= 64 && !hashed.test(id)
      ? id
      : createHash("sha256").update(id).digest("hex").slice(0, 40);
  return `${local}@${provider}${placeholderEnd}`;
};

/** Returns whether an address cannot receive mail: any below `.invalid`, for whatever purpose. */
export const isPlaceholderEmail = (email: string): boolean => email.endsWith(placeholderEnd);

/**
 * Returns a normalized address. Throws `INVALID_EMAIL`, also for any address below `.invalid`. Those receive no mail,
 * and some are placeholders of users whose provider sends no address. Taking such an address would lock out its user.
 */
export const readEmail = (given: unknown): string => {
  const email = normalizeEmail(given);
  if (email === undefined || isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  return email;
};

/**
 * Returns the language of a mail for the data of its event: that of the user, else that of the browser that causes the mail. Makes the same
 * statement without a user, so that its time does not reveal whether an address is known.
 */
export const mailLocaleOf = async (
  trx: Kysely<Tables>,
  { userId = "", caller }: { userId?: string | undefined; caller: Pick<Caller, "acceptLanguage"> },
): Promise<MailLocaleMember> => chooseMailLocale(await findLocale(trx, userId), caller);

/** Names an address in the audit. Entries outlive users, so it is keyed: nobody confirms an address by hashing it. */
export const addressSubject = (
  ring: SecretRing,
  email: string,
): { kind: "address"; id: string } => ({
  kind: "address",
  id: hmacSha256(ring.derive("audited address")[0], email, "base64url"),
});
