import { operations, WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { countPasskeys } from "../passkeys/queries.ts";
import { requireStrong } from "../sessions/strong-session.ts";
import { findUserById, type UserMembers } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { type AdminCall, isOneself } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminResetTwoFactor;
type Needs = Pick<Deps, "clock" | "config" | "db">;

interface AddressChange {
  user: UserRow;
  members: UserMembers;
}

/** Whether the change lets the reader of a mailbox claim the user or receive the user's codes. */
const opensToMailbox = ({ members: { email, emailVerified } }: AddressChange): boolean =>
  email !== undefined || emailVerified === false;

const isProtected = async (
  { config }: Needs,
  db: Needs["db"],
  { id, twoFactorEnabled }: UserRow,
): Promise<boolean> =>
  (config.twoFactor.enabled && twoFactorEnabled) ||
  (config.passkey.relyingParty !== undefined && (await countPasskeys(db, id)) > 0);

/**
 * Checks a change of an address by an admin. The reader of an unproven address claims the user, which removes second factor and passkeys,
 * and a mailed code may be the second factor. For users with either, the change therefore needs whatever a reset of the second factor
 * needs. Throws the errors of that operation.
 */
export const checkAddressChange = async (
  deps: Needs,
  call: AdminCall,
  change: AddressChange,
): Promise<void> => {
  const { user } = change;
  if (!call.session || !opensToMailbox(change) || !(await isProtected(deps, deps.db, user))) return;
  if (isOneself(call, user.id)) throw new WireError("YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR");
  checkReach(deps, call, { permission, target: user });
  requireStrong(deps, call.session);
};

/** Returns the same check for the transaction of the change, under the lock of the user: a second factor may have been added meanwhile. */
export const recheckAddressChange =
  (deps: Needs, call: AdminCall, change: AddressChange) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    if (!call.session || !opensToMailbox(change)) return;
    const current = await findUserById(trx, change.user.id);
    if (!current || !(await isProtected(deps, trx, current))) return;
    await checkAddressChange({ ...deps, db: trx }, call, { ...change, user: current });
    await recheckReach(deps, call, { permission, target: current })(trx);
  };
