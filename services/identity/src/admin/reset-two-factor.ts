import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendEvent, type AuditEntry, type Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { dropSecondFactor } from "../second-factor/queries.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { operatorActor, operatorCaller } from "./operator-caller.ts";
import { checkReach, recheckReach } from "./reach.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

const { permission } = operations.identity.adminResetTwoFactor;
type AdminResetTwoFactor = typeof operations.identity.adminResetTwoFactor;

/** The user whose second factor is removed, and who removes it. */
interface Reset extends Required<Pick<AuditEntry, "actor" | "caller">> {
  user: UserRow;
  /** Runs first in the transaction. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/** Removes a user's second factor and ends all their sessions, so that a thief of one gains nothing. The user gets a mail. */
const removeSecondFactor = async (
  deps: ChangeUserNeeds,
  { user, within, actor, caller }: Reset,
): Promise<UserRow> => {
  const { id: userId } = user;
  const changed = await changeUser(deps, {
    user,
    change: { twoFactorEnabled: false },
    action: "two-factor.reset",
    actor,
    caller,
    within,
    publish: async (trx, written) => {
      await dropSecondFactor(trx, userId);
      await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
      const language = await mailLocaleOf(trx, { userId, caller });
      const data = { userId, email: written.email, name: written.name, ...language };
      await appendEvent(trx, deps, { name: "two-factor.reset", data });
    },
  });
  if (!changed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile
  await deps.sessions.revokeAll(userId, undefined, {
    actor,
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
    caller,
  });
  return changed;
};

/**
 * Removes the second factor of a user who has lost it. Throws `YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR`, `USER_NOT_FOUND`, and
 * `YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS` if the user has a permission that the caller lacks.
 */
export const resetTwoFactor = async (
  deps: ChangeUserNeeds,
  call: Call<AdminResetTwoFactor>,
): Promise<Answer<OperationReply<AdminResetTwoFactor>>> => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  await removeSecondFactor(deps, {
    user,
    within: recheckReach(deps, call, act),
    actor: adminActor(call),
    caller: call.caller,
  });
  return { reply: { status: true } };
};

/** Does the same for an operator of the machine, for a user with this address. Throws `USER_NOT_FOUND`. */
export const resetTwoFactorOf = async (
  deps: ChangeUserNeeds,
  { email }: { email: string },
): Promise<UserRow> => {
  const user = await findUser(deps, { email });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const caller = operatorCaller(deps, "adminResetTwoFactor");
  return removeSecondFactor(deps, { user, actor: operatorActor, caller });
};
