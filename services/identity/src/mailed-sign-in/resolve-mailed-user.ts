import { WireError } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Caller } from "@latchkey/contracts";
import { SpentError } from "../one-time-tokens/spent-error.ts";
import { claimUser, type LinkAccountNeeds } from "../accounts/link-account.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { lockAddressee } from "../passwords/queries.ts";
import { nameAttemptedUser } from "../sign-in/attempted-user.ts";
import { lookAgain } from "../social/look-again.ts";
import { findUser } from "../users/find-user.ts";
import { refuseBanned } from "../users/lift-expired-ban.ts";
import { isAddressProven, type NewUser } from "../users/queries.ts";
import { registerUser, type RegisterUserNeeds } from "../users/register-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { isBanned } from "../users/user-rules.ts";

export type ResolveMailedNeeds = LinkAccountNeeds & RegisterUserNeeds & Pick<Deps, "fields">;

/** A link or code of a mail, which proves that its holder reads the mailbox. */
export interface MailedProof {
  /** In lower case. */
  email: string;
  caller: Caller;
  /** Returns the user to register if nobody has the address. Throws if nobody may sign up. */
  propose: () => Promise<NewUser>;
  /** Uses up the link or code. Returns true for exactly one of several concurrent calls. */
  consume: (trx: Kysely<Tables>) => Promise<boolean>;
}

export interface ResolvedMailedUser {
  user: UserRow;
  isNew: boolean;
}

const spend = async (trx: Kysely<Tables>, { consume }: MailedProof): Promise<void> => {
  if (!(await consume(trx))) throw new SpentError();
};

/** Uses up the proof while the address is certainly the user's. Returns false if it no longer is. */
const spendFor = (
  deps: ResolveMailedNeeds,
  proof: MailedProof,
  { id }: UserRow,
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const addressee = await lockAddressee(trx, proof.email);
    if (addressee?.id !== id) return false;
    await spend(trx, proof);
    return true;
  });

const register = async (
  deps: ResolveMailedNeeds,
  proof: MailedProof,
): Promise<UserRow | undefined> =>
  registerUser(deps, {
    user: await proof.propose(),
    caller: proof.caller,
    within: (trx) => spend(trx, proof),
  });

const resolveOnce = async (
  deps: ResolveMailedNeeds,
  proof: MailedProof,
): Promise<ResolvedMailedUser | undefined> => {
  const { email, caller } = proof;
  const found = await findUser(deps, { email });
  if (!found) {
    const registered = await register(deps, proof);
    return registered && { user: registered, isNew: true };
  }
  nameAttemptedUser(caller, found.id);
  if ((await isAddressProven(deps.db, found)) || isBanned(found, deps.clock())) {
    const isSpent = await spendFor(deps, proof, found);
    refuseBanned(deps, found);
    return isSpent ? { user: found, isNew: false } : undefined;
  }
  const isClaimed = await claimUser(deps, {
    user: found,
    isVerified: true,
    caller,
    within: (trx) => spend(trx, proof),
  });
  const claimed = isClaimed ? await findUser(deps, { id: found.id }) : undefined;
  return claimed && { user: claimed, isNew: false };
};

/**
 * Returns the user of an address whose mail was read, and uses up the proof in the transaction of what it changes. A new user is
 * registered with the proven address. A user who has not proven the address is claimed: other sign-in methods and sessions end.
 *
 * Returns undefined if the proof was used meanwhile. Throws `BANNED_USER`, and the errors of `propose`.
 */
export const resolveMailedUser = async (
  deps: ResolveMailedNeeds,
  proof: MailedProof,
): Promise<ResolvedMailedUser | undefined> => {
  try {
    const resolved = await lookAgain(() => resolveOnce(deps, proof));
    if (!resolved) throw new WireError("FAILED_TO_CREATE_USER");
    return resolved;
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw error;
  }
};
