import { type Caller, type ClaimedMethod, WireError } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import { SpentError } from "../secrets/secrets.ts";
import { claimUser, type LinkAccountNeeds } from "../accounts/link-account.ts";
import { listClaimedMethods } from "../rows/accounts.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { proposeResetLink } from "../passwords/reset-password.ts";
import { lockAddressee } from "../rows/passwords.ts";
import { lookAgain } from "../social/finish-link.ts";
import { findUser } from "../users/find-users.ts";
import { refuseBanned } from "../users/lift-expired-ban.ts";
import { isAddressProven, type NewUser } from "../users/queries.ts";
import { findPlace, type FindPlaceNeeds } from "../sessions/device-sessions.ts";
import { registerUser, type RegisterUserNeeds } from "../accounts/register-user.ts";
import { type UserRow, isBanned } from "../users/user-row.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

export type ResolveMailedNeeds = FindPlaceNeeds &
  LinkAccountNeeds &
  RegisterUserNeeds &
  Pick<Deps, "fields">;

/** A link or code of a mail, which proves that its holder reads the mailbox. */
interface MailedProof {
  /** In lower case. */
  email: string;
  caller: Caller;
  /** Returns the user to register if nobody has the address. Throws if nobody may sign up. */
  propose: () => Promise<NewUser>;
  /** Uses up the link or code. Returns true for exactly one of several concurrent calls. */
  consume: (trx: Kysely<Tables>) => Promise<boolean>;
}

interface ResolvedMailedUser {
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
): Promise<UserRow | undefined> => {
  await findPlace(deps, proof.caller, undefined);
  return registerUser(deps, {
    user: await proof.propose(),
    caller: proof.caller,
    within: (trx) => spend(trx, proof),
  });
};

/** Creates a link to choose a new password, for a user who loses the present one by a claim. */
export const proposeNewPassword = async (
  deps: Parameters<typeof proposeResetLink>[0] & Pick<Deps, "db">,
  { id: userId }: UserRow,
  caller: Caller,
) => {
  if (!deps.config.emailAndPassword.resetPassword.enabled) return undefined;
  const ended = await listClaimedMethods(deps.db, { userId });
  return ended.includes("password")
    ? proposeResetLink(deps, { userId, caller, redirectTo: undefined })
    : undefined;
};

/** Returns the sign-in methods that a claim of a user deletes, except the account `kept`. Empty if the address is proven. */
export const findClaimedMethods = async (
  { db }: Pick<Deps, "db">,
  user: UserRow,
  kept?: string,
): Promise<ClaimedMethod[]> =>
  (await isAddressProven(db, user)) ? [] : listClaimedMethods(db, { userId: user.id, kept });

/**
 * Returns the sign-in methods that a sign-in by mail deletes: those of a user who has not proven the address. Empty for an unknown or
 * banned user, who is not claimed.
 */
export const findEndingMethods = async (
  deps: Pick<ResolveMailedNeeds, "clock" | "db">,
  email: string,
): Promise<ClaimedMethod[]> => {
  const user = await findUser(deps, { email });
  return user && !isBanned(user, deps.clock()) ? findClaimedMethods(deps, user) : [];
};

const resolveOnce = async (
  deps: ResolveMailedNeeds,
  proof: MailedProof,
): Promise<ResolvedMailedUser | undefined> => {
  const { email, caller } = proof;
  const existingUser = await findUser(deps, { email });
  if (!existingUser) {
    const registered = await register(deps, proof);
    return registered && { user: registered, isNew: true };
  }
  nameAttemptedUser(caller, existingUser.id);
  if ((await isAddressProven(deps.db, existingUser)) || isBanned(existingUser, deps.clock())) {
    const isSpent = await spendFor(deps, proof, existingUser);
    refuseBanned(deps, existingUser);
    return isSpent ? { user: existingUser, isNew: false } : undefined;
  }
  const resetLink = await proposeNewPassword(deps, existingUser, caller);
  const isClaimed = await claimUser(deps, {
    user: existingUser,
    isVerified: true,
    caller,
    resetLink,
    within: (trx) => spend(trx, proof),
  });
  if (isClaimed) await resetLink?.proposed.settle();
  const claimed = isClaimed ? await findUser(deps, { id: existingUser.id }) : undefined;
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
