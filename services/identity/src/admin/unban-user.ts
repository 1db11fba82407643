import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { adminActor } from "./admin-actor.ts";

type AdminUnbanUser = typeof operations.identity.adminUnbanUser;

/** Lifts the ban of a user; they may sign in again. */
export const unbanUser = async (
  deps: ChangeUserNeeds & Pick<Deps, "showUser">,
  call: Call<AdminUnbanUser>,
): Promise<Answer<OperationReply<AdminUnbanUser>>> => {
  const user = await findUser(deps, { id: call.body.userId });
  const unbanned =
    user &&
    (await changeUser(deps, {
      user,
      change: { banned: false, banReason: null, banExpires: null },
      action: "user.unbanned",
      actor: adminActor(call),
      caller: call.caller,
    }));
  if (!unbanned) throw new WireError("USER_NOT_FOUND");
  return { reply: { user: deps.showUser(unbanned) } };
};
