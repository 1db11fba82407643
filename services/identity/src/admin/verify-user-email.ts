import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { toUser } from "../users/user-row.ts";
import { markVerified } from "../verification/mark-verified.ts";
import { adminActor } from "./admin-actor.ts";
import { respectAdmins } from "./respect-admins.ts";

type AdminVerifyUserEmail = typeof operations.identity.adminVerifyUserEmail;

/**
 * Has the address of a user count as verified, as if they had opened the mailed link; one that does already stays. Whoever
 * has it may come in by a provider from then on, so nobody but an admin does so for an admin.
 */
export const verifyUserEmail = async (
  deps: ChangeUserNeeds & Pick<Deps, "showUser">,
  call: Call<AdminVerifyUserEmail>,
): Promise<Answer<OperationReply<AdminVerifyUserEmail>>> => {
  const { params, caller } = call;
  const refusal = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS";
  await respectAdmins(deps, call, { userId: params.id, refusal });
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  if (isPlaceholderEmail(user.email)) throw new WireError("INVALID_EMAIL");
  if (!user.emailVerified) await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const verified = await markVerified(deps, { user, caller, actor: adminActor(call) });
  if (!verified) throw new WireError("USER_NOT_FOUND"); // gone meanwhile, or at another address
  return { reply: { user: deps.showUser(verified) } };
};
