import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendEvent, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { banOf } from "./ban-of.ts";
import { keepAdmin } from "./keep-admin.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminBanUser;
type AdminBanUser = typeof operations.identity.adminBanUser;
type Needs = ChangeUserNeeds & Pick<Deps, "showUser">;

/**
 * Bans a user, for a time or permanently, and ends their sessions. The ban commits with the event that ends the sessions,
 * so that none survives if this process dies before it has ended them.
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
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const recheck = recheckReach(deps, call, act);
  const actor = adminActor(call);
  const banned = await changeUser(deps, {
    user,
    change: banOf(deps, body),
    action: "user.banned",
    actor,
    caller,
    within: async (trx) => {
      await recheck(trx);
      await keepAdmin(deps, trx, { losing: userId });
    },
    publish: async (trx) => {
      await endChallengesAndTrust(trx, userId);
      await endPendingSignIns(trx, deps, { userId });
      await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
    },
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
