import {
  isAdmin,
  type OperationReply,
  operations,
  type RequiredPermission,
  WireError,
} from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  isUniqueViolation,
} from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { isAddressProven, type UserMembers } from "../users/queries.ts";
import { takenError } from "../users/taken-error.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { checkAddressChange, recheckAddressChange } from "./guard-address.ts";
import { keepAdmin } from "./keep-admin.ts";
import { checkReach, recheckReach } from "./reach.ts";
import { readUserChange } from "./read-user-change.ts";

const { adminBanUser, adminSetRole, adminUpdateUser, adminVerifyUserEmail } = operations.identity;
type AdminUpdateUser = typeof adminUpdateUser;
type Needs = ChangeUserNeeds & Pick<Deps, "fields" | "showUser">;

/** Members of a user that require their own permission. */
const guarded: readonly (readonly [members: readonly string[], permission: RequiredPermission])[] =
  [
    [["role"], adminSetRole.permission],
    [["banned", "banReason", "banExpires"], adminBanUser.permission],
    [["email", "emailVerified"], adminVerifyUserEmail.permission],
  ];

interface Change {
  user: UserRow;
  members: UserMembers;
}

const refuseOneself = (deps: Needs, call: Call<AdminUpdateUser>, { user, members }: Change) => {
  if (!isOneself(call, user.id)) return;
  const { admin } = deps.config;
  const { role, banned } = members;
  if (banned) throw new WireError("YOU_CANNOT_BAN_YOURSELF");
  if (role !== undefined && isAdmin(admin, user) && !isAdmin(admin, { id: user.id, role }))
    throw new WireError("YOU_CANNOT_DEMOTE_YOURSELF");
};

/** Returns every check that a change requires: the permission of the operation, and one for each group of members. */
const actsOf = ({ body: { data } }: Call<AdminUpdateUser>, { user, members: { role } }: Change) => {
  const asked = guarded.filter(([names]) => names.some((name) => Object.hasOwn(data, name)));
  return [adminUpdateUser.permission, ...asked.map(([, permission]) => permission)].map(
    (permission) => ({
      permission,
      target: user,
      role: permission === adminSetRole.permission ? (role ?? undefined) : undefined,
    }),
  );
};

/** Returns the further writes of the change: those of the operation of each guarded member. */
const publishWith =
  (deps: Needs, call: Call<AdminUpdateUser>, { user, members }: Change) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    const { id: userId } = user;
    if (members.email !== undefined) await dropTokens(trx, userId);
    if (members.email !== undefined || members.banned) {
      await endChallengesAndTrust(trx, userId);
      await endPendingSignIns(trx, deps, { userId, formerEmail: user.email });
    }
    if (members.banned)
      await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
    const actions = [
      ...(members.role === undefined ? [] : ["user.role-changed"]),
      ...(members.banned === undefined ? [] : [members.banned ? "user.banned" : "user.unbanned"]),
      ...(members.email === undefined ? [] : ["user.email-replaced"]),
    ];
    const subject = { kind: "user", id: userId } as const;
    for (const action of actions)
      await appendAudit(trx, deps, {
        actor: adminActor(call),
        subject,
        action,
        caller: call.caller,
      });
  };

const refusalOf = (error: unknown): unknown =>
  isUniqueViolation(error) && (error as { constraint?: string }).constraint === "user_email_key"
    ? new WireError("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL")
    : takenError(error, new WireError("FAILED_TO_UPDATE_USER"));

const write = async (
  deps: Needs,
  call: Call<AdminUpdateUser>,
  change: Change,
): Promise<UserRow> => {
  const { user, members } = change;
  const rechecks = actsOf(call, change).map((act) => recheckReach(deps, call, act));
  const staysAdmin =
    !members.banned &&
    (members.role === undefined || isAdmin(deps.config.admin, { id: user.id, role: members.role }));
  const changed = await changeUser(deps, {
    user,
    change: members,
    action: "user.updated",
    actor: adminActor(call),
    caller: call.caller,
    // A verification mail proves only the address to which it was sent.
    guard: members.emailVerified === undefined ? {} : { email: user.email },
    // An admin's word proves nothing about the holder of the password, as in `verifyUserEmail`.
    byLinkAlone: members.emailVerified === true && !(await isAddressProven(deps.db, user)),
    within: async (trx) => {
      for (const recheck of rechecks) await recheck(trx);
      await recheckAddressChange(deps, call, change)(trx);
      if (!staysAdmin) await keepAdmin(deps, trx, { losing: user.id });
    },
    publish: publishWith(deps, call, change),
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (!changed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return changed;
};

/**
 * Changes a user for an admin. It must not be a bypass: each member needs the permission, and follows the rules, of the
 * operation that changes it alone. It cannot change a password.
 */
export const updateUser = async (
  deps: Needs,
  call: Call<AdminUpdateUser>,
): Promise<Answer<OperationReply<AdminUpdateUser>>> => {
  const { data, userId } = call.body;
  if (Object.hasOwn(data, "password"))
    throw new WireError("PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  for (const act of actsOf(call, { user, members: {} })) checkReach(deps, call, act);
  const members = await readUserChange(deps, user, data);
  if (Object.keys(members).length === 0) throw new WireError("NO_DATA_TO_UPDATE");
  const change = { user, members };
  for (const act of actsOf(call, change)) checkReach(deps, call, act);
  refuseOneself(deps, call, change);
  await checkAddressChange(deps, call, change);
  if (members.emailVerified && !user.emailVerified)
    await deps.config.emailVerification.onEmailVerification?.(
      toUser({ ...user, ...members, extra: user.extra }),
    );
  const changed = await write(deps, call, change);
  if (members.banned)
    await deps.sessions.revokeAll(userId, undefined, {
      actor: adminActor(call),
      subject: { kind: "user", id: userId },
      action: "session.revoked-all",
      caller: call.caller,
    });
  return { reply: deps.showUser(changed) };
};
