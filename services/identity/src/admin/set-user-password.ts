import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPasswordLength } from "../passwords/check-password-length.ts";
import { findPassword } from "../passwords/find-password.ts";
import { replacePassword, type ReplacePasswordNeeds } from "../passwords/replace-password.ts";
import { adminActor } from "./admin-actor.ts";
import { respectAdmins } from "./respect-admins.ts";

type AdminSetUserPassword = typeof operations.identity.adminSetUserPassword;

/**
 * Replaces the password of a user and ends all their sessions. Nothing is done for somebody unknown, nor for a user who
 * signs in without a password: no admin opens a way in that was not there.
 */
export const setUserPassword = async (
  deps: ReplacePasswordNeeds & Pick<Deps, "passwords">,
  call: Call<AdminSetUserPassword>,
): Promise<Answer<OperationReply<AdminSetUserPassword>>> => {
  const { userId, newPassword } = call.body;
  checkPasswordLength(newPassword, deps.config.emailAndPassword);
  await respectAdmins(deps, call, {
    userId,
    refusal: "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD",
  });
  if ((await findPassword(deps, userId)) !== undefined)
    await replacePassword(deps, {
      userId,
      passwordHash: await deps.passwords.hash(newPassword),
      ends: "all",
      action: "password.set",
      actor: adminActor(call),
      caller: call.caller,
    });
  return { reply: { status: true } };
};
