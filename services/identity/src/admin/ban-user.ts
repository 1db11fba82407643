import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendEvent, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { keepAdmin } from "./keep-admin.ts";
import { adminActor, isOneself } from "./admin-actor.ts";

type AdminBanUser = typeof operations.identity.adminBanUser;
type Needs = ChangeUserNeeds & Pick<Deps, "showUser">;

const banOf = (
  { config: { admin }, clock }: Needs,
  { banReason, banExpiresIn }: Call<AdminBanUser>["body"],
): Pick<UserRow, "banned" | "banReason" | "banExpires"> => {
  const seconds = banExpiresIn || admin.defaultBanExpiresIn;
  return {
    banned: true,
    banReason: banReason || admin.defaultBanReason,
    banExpires: seconds === undefined ? null : new Date(clock() + seconds * 1000),
  };
};

/**
 * Bans a user, for a time or for good, and ends their sessions. The ban commits with the event that ends them, so that none
 * outlives it if we die before we have ended them ourselves.
 */
export const banUser = async (
  deps: Needs,
  call: Call<AdminBanUser>,
): Promise<Answer<OperationReply<AdminBanUser>>> => {
  const { body, caller } = call;
  const { userId } = body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_BAN_YOURSELF");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const actor = adminActor(call);
  const banned = await changeUser(deps, {
    user,
    change: banOf(deps, body),
    action: "user.banned",
    actor,
    caller,
    within: (trx) => keepAdmin(deps, trx, { losing: userId }),
    publish: (trx) => appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } }),
  });
  if (!banned) throw new WireError("USER_NOT_FOUND");
  await deps.sessions.revokeAll(userId, undefined, {
    actor,
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
    caller,
  });
  return { reply: { user: deps.showUser(banned) } };
};
