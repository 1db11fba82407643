import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** By option, gives a user the name and image of the account that they have linked. That it fails undoes no linking. */
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
    deps.logger.warn({ err: error }, "the name and image of a linked account were not copied");
  }
};
