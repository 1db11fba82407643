import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** Copies name and image of a linked account to the user if the option is on. A failure does not undo the linking. */
export const copyUserInfo = async (
  deps: ChangeUserNeeds & Pick<Deps, "logger">,
  here: UserRow,
  { user: there, caller }: Pick<SocialSignIn, "user" | "caller">,
): Promise<void> => {
  if (!deps.config.account.accountLinking.updateUserInfoOnLink) return;
  const change = {
    ...(there.name === undefined ? {} : { name: there.name }),
    ...(there.image === undefined ? {} : { image: there.image }),
  };
  try {
    await changeUser(deps, { user: here, change, action: "user.info-copied", caller });
  } catch (error) {
    deps.logger.warn({ err: error }, "failed to copy name and image of a linked account");
  }
};
