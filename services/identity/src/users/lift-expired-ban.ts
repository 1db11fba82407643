import { type Caller, WireError } from "@latchkey/contracts";
import { changeUser, type ChangeUserNeeds } from "./change-user.ts";
import { findUser } from "./find-users.ts";
import { type UserRow, isBanned } from "./user-row.ts";

/** Throws `BANNED_USER` for a banned user, without the reason of the ban. */
export const refuseBanned = (
  deps: Pick<ChangeUserNeeds, "clock" | "config">,
  user: UserRow,
): void => {
  if (isBanned(user, deps.clock()))
    throw new WireError("BANNED_USER", { message: deps.config.admin.bannedUserMessage });
};

/**
 * Returns the user if they may have a session. Lifts an expired ban, unless a concurrent change has set a new one. Throws
 * `BANNED_USER` for a banned user.
 */
export const liftExpiredBan = async (
  deps: ChangeUserNeeds,
  user: UserRow,
  caller: Caller,
): Promise<UserRow> => {
  if (!user.banned) return user;
  refuseBanned(deps, user);
  const lifted = await changeUser(deps, {
    user,
    change: { banned: false, banReason: null, banExpires: null },
    guard: { banExpires: user.banExpires },
    action: "user.ban-expired",
    actor: { kind: "system" },
    caller,
  });
  const current = lifted ?? (await findUser(deps, { id: user.id })) ?? user;
  refuseBanned(deps, current);
  return current;
};
