import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { countPasskeys } from "../passkeys/queries.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import type { LockedUser } from "../users/queries.ts";
import { countAccounts } from "./queries.ts";

export type CountWaysInNeeds = Pick<Deps, "config">;

/** Links and codes by mail are one way in, for a user who has proven the address. */
const isMailWayIn = (
  { config: { magicLink, emailOTP } }: CountWaysInNeeds,
  { email, emailVerified }: Pick<LockedUser, "email" | "emailVerified">,
): boolean =>
  (magicLink.enabled || emailOTP.enabled) && emailVerified && !isPlaceholderEmail(email);

/**
 * Returns how many ways to sign in a user has: accounts, passkeys if they are on, and the mailbox. The user must be locked, so that two
 * concurrent removals do not both see the other's.
 */
export const countWaysIn = async (
  deps: CountWaysInNeeds,
  trx: Kysely<Tables>,
  user: Pick<LockedUser, "email" | "emailVerified"> & { id: string },
): Promise<number> => {
  const accounts = await countAccounts(trx, user.id);
  const passkeys = deps.config.passkey.relyingParty ? await countPasskeys(trx, user.id) : 0;
  return accounts + passkeys + (isMailWayIn(deps, user) ? 1 : 0);
};
