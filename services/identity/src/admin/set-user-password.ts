import { type OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPasswordLength } from "../passwords/check-password-length.ts";
import { findPassword } from "../passwords/find-password.ts";
import { replacePassword, type ReplacePasswordNeeds } from "../passwords/replace-password.ts";
import { findUser } from "../users/find-user.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminSetUserPassword;
type AdminSetUserPassword = typeof operations.identity.adminSetUserPassword;

/**
 * Replaces the password of a user and ends all their sessions. Changes nothing for an unknown user or a user without a
 * password, because an admin must not add a sign-in method.
 */
export const setUserPassword = async (
  deps: ReplacePasswordNeeds & Pick<Deps, "passwords">,
  call: Call<AdminSetUserPassword>,
): Promise<Answer<OperationReply<AdminSetUserPassword>>> => {
  const { userId, newPassword } = call.body;
  checkPasswordLength(newPassword, deps.config.emailAndPassword);
  const user = await findUser(deps, { id: userId });
  if (!user) return { reply: { status: true } };
  const act = { permission, target: user };
  checkReach(deps, call, act);
  if ((await findPassword(deps, userId)) !== undefined)
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
