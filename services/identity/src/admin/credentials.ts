import { operations, WireError } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { applicationUrl } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import { mailResetLink } from "../passwords/reset-password.ts";
import { findUser } from "../users/find-users.ts";
import { isPlaceholderEmail, mailLocaleOf } from "../users/email.ts";
import { adminActor, checkReach, recheckReach, isOneself } from "../users/admin-rights.ts";
import type { Handler } from "../deps.ts";
import { checkNewPassword, findPassword } from "../access/check-password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { requestVerification } from "../email-verification/request-verification.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { markVerified } from "../email-verification/verification-link.ts";
import type { Tables } from "../db/tables.ts";
import { dropSecondFactor } from "../rows/second-factors.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { operatorActor, operatorCaller } from "./operator.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";

const { permission: resetPermission } = operations.identity.adminSendPasswordReset;

/** Mails a user the reset link that they could also request themselves. Rejects an address that receives no mail. */
export const adminSendPasswordReset: Handler<"adminSendPasswordReset"> = async (deps, call) => {
  const { params, body, caller } = call;
  if (!deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: resetPermission, target: user };
  checkReach(deps, call, act);
  const { id: userId, email } = user;
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const isMailed = await mailResetLink(deps, {
    email,
    userId,
    redirectTo: body?.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
    within: recheckReach(deps, call, act),
  });
  if (!isMailed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return { reply: { status: true } };
};

const { permission: setPermission } = operations.identity.adminSetUserPassword;

const nothing = { reply: { status: true, changed: false } } as const;

/**
 * Replaces the password of a user and ends all their sessions. Changes nothing for an unknown user or a user without a
 * password, because an admin must not add a sign-in method. The reply says so.
 */
export const adminSetUserPassword: Handler<"adminSetUserPassword"> = async (deps, call) => {
  const { userId, newPassword } = call.body;
  await checkNewPassword(deps, newPassword);
  const user = await findUser(deps, { id: userId });
  if (!user) return nothing;
  const act = { permission: setPermission, target: user };
  checkReach(deps, call, act);
  if ((await findPassword(deps, userId)) === undefined) return nothing;
  await replacePassword(deps, {
    userId,
    passwordHash: await deps.passwords.hash(newPassword),
    ends: "all",
    action: "password.set",
    actor: adminActor(call),
    caller: call.caller,
    before: recheckReach(deps, call, act),
  });
  return { reply: { status: true } };
};

const { permission: verificationPermission } = operations.identity.adminSendVerification;

/** Mails a user the verification link that they could also request themselves. */
export const adminSendVerification: Handler<"adminSendVerification"> = async (deps, call) => {
  const { params, caller } = call;
  if (!deps.config.emailVerification.enabled)
    throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: verificationPermission, target: user };
  checkReach(deps, call, act);
  if (isPlaceholderEmail(user.email)) throw new WireError("INVALID_EMAIL");
  if (user.emailVerified)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL");
  const { publish } = await requestVerification(deps, {
    user,
    callbackURL: applicationUrl(deps.config.appURL, caller),
    caller,
    actor: adminActor(call),
    beyond: "refuse",
    countsFor: "admins",
  });
  const recheck = recheckReach(deps, call, act);
  await deps.db.transaction().execute(async (trx) => {
    await recheck(trx);
    await publish(trx);
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};

const { permission: verifyPermission } = operations.identity.adminVerifyUserEmail;

/**
 * Marks the address of a user as verified, as if the mailed link had been opened in some browser. It proves nothing about the holder
 * of the password, so the owner of the address still claims the user by a provider or a reset.
 */
export const adminVerifyUserEmail: Handler<"adminVerifyUserEmail"> = async (deps, call) => {
  const { params, caller } = call;
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: verifyPermission, target: user };
  checkReach(deps, call, act);
  if (isPlaceholderEmail(user.email)) throw new WireError("INVALID_EMAIL");
  if (!user.emailVerified) await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const verified = await markVerified(deps, {
    user,
    caller,
    actor: adminActor(call),
    byLinkAlone: true,
    within: recheckReach(deps, call, act),
  });
  if (!verified) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return { reply: { user: deps.showUser(verified) } };
};

const { permission } = operations.identity.adminResetTwoFactor;

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
      await endAccess(trx, deps, { userId, fact: "two-factor.reset" });
      const language = await mailLocaleOf(trx, { userId, caller });
      const data = { userId, email: written.email, name: written.name, ...language };
      await appendEvent(trx, deps, { name: "two-factor.reset", data });
    },
  });
  if (!changed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile
  await endSessions(deps, { userId, actor, caller });
  return changed;
};

/**
 * Removes the second factor of a user who has lost it. Throws `YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR`, `USER_NOT_FOUND`, and
 * `YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS` if the user has a permission that the caller lacks.
 */
export const adminResetTwoFactor: Handler<"adminResetTwoFactor"> = async (deps, call) => {
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
