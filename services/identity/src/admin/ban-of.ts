import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";

/** Returns a ban, with the defaults of the options for missing values. */
export const banOf = (
  { config: { admin }, clock }: Pick<Deps, "clock" | "config">,
  {
    banReason,
    banExpiresIn,
  }: { banReason?: string | undefined; banExpiresIn?: number | undefined },
): Pick<UserRow, "banned" | "banReason" | "banExpires"> => {
  const seconds = banExpiresIn || admin.defaultBanExpiresIn;
  return {
    banned: true,
    banReason: banReason || admin.defaultBanReason,
    banExpires: seconds === undefined ? null : new Date(clock() + seconds * 1000),
  };
};
