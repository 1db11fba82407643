import type { AuthenticationMethod } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { countPasskeys } from "../passkeys/queries.ts";
import { passableMethods } from "../second-factor/offered-methods.ts";
import { isSkipped } from "../second-factor/requirement.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import type { LockedUser } from "../users/queries.ts";
import { countAccounts } from "./queries.ts";

export type CountWaysInNeeds = Pick<Deps, "clock" | "config">;

type MailMethod = Extract<AuthenticationMethod, "magic-link" | "email-otp">;
type Counted = Pick<LockedUser, "email" | "emailVerified" | "twoFactorEnabled"> & { id: string };

/** Returns whether a sign-in by this method can be completed. A mailed code is no second factor after it. */
const canPassAfter = async (
  deps: CountWaysInNeeds,
  db: Kysely<Tables>,
  { user: { id: userId, twoFactorEnabled }, method }: { user: Counted; method: MailMethod },
): Promise<boolean> => {
  const { config } = deps;
  if (!config.twoFactor.enabled || !twoFactorEnabled || isSkipped(config, method)) return true;
  return (await passableMethods({ ...deps, db }, { userId, shown: [method] })) !== undefined;
};

/** Links and codes by mail are one way in, for a user who has proven the address and can pass the second factor after them. */
const isMailWayIn = async (
  deps: CountWaysInNeeds,
  db: Kysely<Tables>,
  user: Counted,
): Promise<boolean> => {
  const { magicLink, emailOTP } = deps.config;
  if (!user.emailVerified || isPlaceholderEmail(user.email)) return false;
  const methods: MailMethod[] = [
    ...(magicLink.enabled ? (["magic-link"] as const) : []),
    ...(emailOTP.enabled ? (["email-otp"] as const) : []),
  ];
  for (const method of methods) if (await canPassAfter(deps, db, { user, method })) return true;
  return false;
};

/**
 * Returns how many ways to sign in a user has: accounts, passkeys if they are on, and the mailbox. The user must be locked, so that two
 * concurrent removals do not both see the other's.
 */
export const countWaysIn = async (
  deps: CountWaysInNeeds,
  trx: Kysely<Tables>,
  user: Counted,
): Promise<number> => {
  const accounts = await countAccounts(trx, user.id);
  const passkeys = deps.config.passkey.relyingParty ? await countPasskeys(trx, user.id) : 0;
  return accounts + passkeys + ((await isMailWayIn(deps, trx, user)) ? 1 : 0);
};
