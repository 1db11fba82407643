import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { toUser } from "../users/user-row.ts";
import { markVerified } from "../email-verification/mark-verified.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminVerifyUserEmail;
type AdminVerifyUserEmail = typeof operations.identity.adminVerifyUserEmail;

/**
 * Marks the address of a user as verified, as if the mailed link had been opened in some browser. It proves nothing about the holder
 * of the password, so the owner of the address still claims the user by a provider or a reset.
 */
export const verifyUserEmail = async (
  deps: ChangeUserNeeds & Pick<Deps, "showUser">,
  call: Call<AdminVerifyUserEmail>,
): Promise<Answer<OperationReply<AdminVerifyUserEmail>>> => {
  const { params, caller } = call;
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
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
