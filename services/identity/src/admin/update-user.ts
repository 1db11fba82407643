import {
  WireError,
  operations,
  type FactName,
  isAdmin,
  type RequiredPermission,
} from "@latchkey/contracts";
import type { Transaction } from "kysely";
import { appendAudit } from "@latchkey/service-kit/audit";
import { isUniqueViolation } from "@latchkey/service-kit/database";
import type { Deps, CallOf, Handler } from "../deps.ts";
import { findUser } from "../users/find-users.ts";
import { isPlaceholderEmail, readEmail } from "../users/email.ts";
import {
  findUserByUsername,
  type UserMembers,
  findUserById,
  isAddressProven,
} from "../users/queries.ts";
import { type UserRow, toUser } from "../users/user-row.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import { settleNumberChange } from "../phone-numbers/change-number.ts";
import { proposeNumber } from "../phone-numbers/read-number.ts";
import { refuseMerged } from "./duplicates/merge-users.ts";
import { banOf } from "./user-access.ts";
import {
  readRoles,
  type AdminCall,
  isOneself,
  adminActor,
  checkReach,
  recheckReach,
  requireOtherAdmin,
} from "../users/admin-rights.ts";
import type { Tables } from "../db/tables.ts";
import { countPasskeys } from "../rows/passkeys.ts";
import { clearProvisioned } from "../rows/accounts.ts";
import { requireStrong } from "../sessions/session-rules.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { takenError } from "../accounts/register-user.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";

type ReadChangeNeeds = Pick<Deps, "clock" | "config" | "db" | "fields">;
type Data = CallOf<"adminUpdateUser">["body"]["data"];

const readAddress = async (
  deps: Pick<Deps, "db">,
  user: UserRow,
  { email: given, emailVerified }: Data,
): Promise<UserMembers> => {
  const email = given === undefined ? user.email : readEmail(given);
  if (emailVerified && isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  if (email === user.email) return emailVerified === undefined ? {} : { emailVerified };
  if (await findUser(deps, { email })) throw new WireError("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
  return { email, emailVerified: emailVerified ?? false };
};

const readUsername = async (
  { config, db }: Pick<Deps, "config" | "db">,
  user: UserRow,
  data: Data,
): Promise<UserMembers> => {
  const members = usernameMembers(config.username, data);
  const { username } = members;
  if (username === undefined) return members;
  await checkUsername(config.username, username);
  const holder = await findUserByUsername(db, username);
  if (holder && holder.id !== user.id)
    throw new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER");
  return members;
};

const readBan = (
  deps: Pick<Deps, "clock" | "config">,
  { banned, banReason, banExpires }: Data,
): UserMembers => {
  if (banned === false) return { banned, banReason: null, banExpires: null };
  const expiry = banExpires ? { banExpires: new Date(banExpires) } : { banExpires: null };
  if (banned)
    return {
      ...banOf(deps, banReason ? { banReason } : {}),
      ...(banExpires === undefined ? {} : expiry),
    };
  return {
    ...(banReason === undefined ? {} : { banReason }),
    ...(banExpires === undefined ? {} : expiry),
  };
};

/** Returns the members that an admin's change sets, each checked by the rules of its own operation. */
const readUserChange = async (
  deps: ReadChangeNeeds,
  user: UserRow,
  data: Data,
): Promise<UserMembers> => {
  const { name, image, role } = data;
  const extra = await deps.fields.user.read({ values: data, mode: "update", isTrusted: true });
  return {
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...(role === undefined ? {} : { role: readRoles(deps.config.admin, role) }),
    ...(await readAddress(deps, user, data)),
    ...(await readUsername(deps, user, data)),
    ...(await proposeNumber(deps, data, user)),
    ...readBan(deps, data),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

const { permission } = operations.identity.adminResetTwoFactor;
type AddressNeeds = Pick<Deps, "clock" | "config" | "db">;

interface AddressChange {
  user: UserRow;
  members: UserMembers;
}

/** Whether the change lets the reader of a mailbox claim the user or receive the user's codes. */
const opensToMailbox = ({ email, emailVerified }: UserMembers): boolean =>
  email !== undefined || emailVerified === false;

const isProtected = async (
  { config }: AddressNeeds,
  db: AddressNeeds["db"],
  { id, twoFactorEnabled }: UserRow,
): Promise<boolean> =>
  (config.twoFactor.enabled && twoFactorEnabled) ||
  (config.passkey.relyingParty !== undefined && (await countPasskeys(db, id)) > 0);

/**
 * Checks a change of an address by an admin. The reader of an unproven address claims the user, which removes second factor and passkeys,
 * and a mailed code may be the second factor. For users with either, the change therefore needs whatever a reset of the second factor
 * needs. Throws the errors of that operation.
 */
const checkAddressChange = async (
  deps: AddressNeeds,
  call: AdminCall,
  change: AddressChange,
): Promise<void> => {
  const { user } = change;
  if (!call.session || !opensToMailbox(change.members) || !(await isProtected(deps, deps.db, user)))
    return;
  if (isOneself(call, user.id)) throw new WireError("YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR");
  checkReach(deps, call, { permission, target: user });
  requireStrong(deps, call.session);
};

/** Returns the same check for the transaction of the change, under the lock of the user: a second factor may have been added meanwhile. */
const recheckAddressChange =
  (deps: AddressNeeds, call: AdminCall, change: AddressChange) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    if (!call.session || !opensToMailbox(change.members)) return;
    const current = await findUserById(trx, change.user.id);
    if (!current || !(await isProtected(deps, trx, current))) return;
    await checkAddressChange({ ...deps, db: trx }, call, { ...change, user: current });
    await recheckReach(deps, call, { permission, target: current })(trx);
  };

const { adminBanUser, adminSetRole, adminVerifyUserEmail } = operations.identity;

type UpdateUserNeeds = ChangeUserNeeds & Pick<Deps, "fields" | "showUser">;

const banMembers = ["banned", "banReason", "banExpires"] as const;

/** Members of a user that require their own permission. */
const guarded: readonly (readonly [members: readonly string[], permission: RequiredPermission])[] =
  [
    [["role"], adminSetRole.permission],
    [banMembers, adminBanUser.permission],
    [["email", "emailVerified", "phoneNumber"], adminVerifyUserEmail.permission],
  ];

interface Change {
  user: UserRow;
  members: UserMembers;
}

const refuseOneself = (
  deps: UpdateUserNeeds,
  call: CallOf<"adminUpdateUser">,
  { user, members }: Change,
) => {
  if (!isOneself(call, user.id)) return;
  const { admin } = deps.config;
  const { role, banned } = members;
  if (banned) throw new WireError("YOU_CANNOT_BAN_YOURSELF");
  if (role !== undefined && isAdmin(admin, user) && !isAdmin(admin, { id: user.id, role }))
    throw new WireError("YOU_CANNOT_DEMOTE_YOURSELF");
};

/** Returns every check that a change requires: the permission of the operation, and one for each group of members. */
const actsOf = (
  { body: { data } }: CallOf<"adminUpdateUser">,
  { user, members: { role } }: Change,
) => {
  const changedGroups = guarded.filter(([names]) =>
    names.some((name) => Object.hasOwn(data, name)),
  );
  return [
    operations.identity.adminUpdateUser.permission,
    ...changedGroups.map(([, permission]) => permission),
  ].map((permission) => ({
    permission,
    target: user,
    role: permission === adminSetRole.permission ? (role ?? undefined) : undefined,
  }));
};

/** Returns the further writes of the change: those of the operation of each guarded member. */
const publishWith =
  (deps: UpdateUserNeeds, call: CallOf<"adminUpdateUser">, { user, members }: Change) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    const { id: userId } = user;
    const actions: FactName[] = [];
    if (members.role !== undefined) actions.push("user.role-changed");
    if (members.banned !== undefined)
      actions.push(members.banned ? "user.banned" : "user.unbanned");
    if (members.email !== undefined) actions.push("user.email-replaced");
    if (members.phoneNumber !== undefined) actions.push("user.phone-changed");
    if (opensToMailbox(members)) await clearProvisioned(trx, userId);
    const subject = { kind: "user", id: userId } as const;
    for (const action of actions) {
      if (action === "user.phone-changed" && user.phoneNumber !== null)
        await settleNumberChange(deps, trx, { user, change: "removed", caller: call.caller });
      else await endAccess(trx, deps, { userId, fact: action, formerEmail: user.email });
      await appendAudit(trx, deps, {
        actor: adminActor(call),
        subject,
        action,
        caller: call.caller,
      });
    }
  };

const refusalOf = (error: unknown): unknown =>
  isUniqueViolation(error) && (error as { constraint?: string }).constraint === "user_email_key"
    ? new WireError("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL")
    : takenError(error, new WireError("FAILED_TO_UPDATE_USER"));

const write = async (
  deps: UpdateUserNeeds,
  call: CallOf<"adminUpdateUser">,
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
    // An admin's word proves nothing about the holder of the password, as in `adminVerifyUserEmail`.
    byLinkAlone: members.emailVerified === true && !(await isAddressProven(deps.db, user)),
    within: async (trx) => {
      for (const recheck of rechecks) await recheck(trx);
      await recheckAddressChange(deps, call, change)(trx);
      if (!staysAdmin) await requireOtherAdmin(deps, trx, { losing: user.id });
      if (banMembers.some((name) => name in members)) await refuseMerged(trx, user.id);
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
export const adminUpdateUser: Handler<"adminUpdateUser"> = async (deps, call) => {
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
    await endSessions(deps, { userId, actor: adminActor(call), caller: call.caller });
  return { reply: deps.showUser(changed) };
};
