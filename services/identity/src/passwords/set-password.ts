import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { checkPasswordLength } from "./check-password-length.ts";
import { findPassword } from "./find-password.ts";
import { replacePassword, type ReplacePasswordNeeds } from "./replace-password.ts";

type SetPassword = typeof operations.identity.setPassword;
type Needs = ReplacePasswordNeeds & Pick<Deps, "passwords">;

/** Sets the first password of a user without one. Only one of several concurrent calls succeeds. Sessions stay valid. */
export const setPassword = async (
  deps: Needs,
  { body: { userId, newPassword }, caller }: Call<SetPassword>,
): Promise<Answer<OperationReply<SetPassword>>> => {
  checkPasswordLength(newPassword, deps.config.emailAndPassword);
  if (!(await findUser(deps, { id: userId }))) throw new WireError("USER_NOT_FOUND");
  const isSet =
    (await findPassword(deps, userId)) === undefined &&
    (await replacePassword(deps, {
      userId,
      passwordHash: await deps.passwords.hash(newPassword),
      seen: null,
      ends: "none",
      action: "password.set",
      actor: serviceActor(caller),
      caller,
    }));
  if (!isSet) throw new WireError("USER_ALREADY_HAS_A_PASSWORD");
  return { reply: { status: true } };
};
