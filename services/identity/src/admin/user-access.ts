import { isAdmin, operations, WireError, type Event } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import { applicationUrl } from "@latchkey/service-kit/http";
import type { Handler, Deps, CallOf } from "../deps.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import {
  requireOtherAdmin,
  readRoles,
  adminActor,
  isOneself,
  checkReach,
  recheckReach,
} from "../users/admin-rights.ts";
import type { UserRow } from "../users/user-row.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { eraseUser } from "../profile/delete-user.ts";
import { refuseMerged } from "./duplicates/merge-users.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/reset-password.ts";
import { endPassword } from "../rows/passwords.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { isPlaceholderEmail } from "../users/email.ts";
import { lockUser, updateSessionsEnded } from "../users/queries.ts";
import { sessionHandle, namedTokenHash } from "../access/own-sessions.ts";

const { permission: setRolePermission } = operations.identity.adminSetRole;

/** Assigns roles at once. No admin can demote themselves, and the last admin stays. A service may create the first admin. */
export const adminSetRole: Handler<"adminSetRole" | "setRole"> = async (deps, call) => {
  const { admin } = deps.config;
  const { userId, role: wantedRole } = call.body;
  const role = readRoles(admin, wantedRole);
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: setRolePermission, target: user, role };
  checkReach(deps, call, act);
  const recheck = recheckReach(deps, call, act);
  const staysAdmin = isAdmin(admin, { id: userId, role });
  if (isOneself(call, userId) && isAdmin(admin, user) && !staysAdmin)
    throw new WireError("YOU_CANNOT_DEMOTE_YOURSELF");
  const changed = await changeUser(deps, {
    user,
    change: { role },
    action: "user.role-changed",
    actor: adminActor(call),
    caller: call.caller,
    within: async (trx) => {
      await recheck(trx);
      if (!staysAdmin) await requireOtherAdmin(deps, trx, { losing: userId });
    },
  });
  if (!changed) throw new WireError("USER_NOT_FOUND");
  return { reply: { user: deps.showUser(changed) } };
};

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

const { permission: banPermission } = operations.identity.adminBanUser;

/**
 * Bans a user, for a time or permanently, and ends their sessions. The ban commits with the event that ends the sessions,
 * so that none survives if this process dies before it has ended them.
 */
export const adminBanUser: Handler<"adminBanUser"> = async (deps, call) => {
  const { body, caller } = call;
  const { userId } = body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_BAN_YOURSELF");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: banPermission, target: user };
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
      await requireOtherAdmin(deps, trx, { losing: userId });
      await refuseMerged(trx, userId);
    },
    publish: async (trx) => {
      await endAccess(trx, deps, { userId, fact: "user.banned" });
    },
  });
  if (!banned) throw new WireError("USER_NOT_FOUND");
  await endSessions(deps, { userId, actor, caller });
  return { reply: { user: deps.showUser(banned) } };
};

const { permission: unbanPermission } = operations.identity.adminUnbanUser;

/** Lifts the ban of a user, who may then sign in again. */
export const adminUnbanUser: Handler<"adminUnbanUser"> = async (deps, call) => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission: unbanPermission, target: user };
  checkReach(deps, call, act);
  const unbanned = await changeUser(deps, {
    user,
    change: { banned: false, banReason: null, banExpires: null },
    action: "user.unbanned",
    actor: adminActor(call),
    caller: call.caller,
    within: async (trx) => {
      await recheckReach(deps, call, act)(trx);
      await refuseMerged(trx, user.id);
    },
  });
  if (!unbanned) throw new WireError("USER_NOT_FOUND");
  return { reply: { user: deps.showUser(unbanned) } };
};

const { permission: removePermission } = operations.identity.adminRemoveUser;

/** Deletes a user with all their data. Succeeds for a user who was deleted already. */
export const adminRemoveUser: Handler<"adminRemoveUser"> = async (deps, call) => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_REMOVE_YOURSELF");
  const act = { permission: removePermission, target: { id: userId } };
  await eraseUser(deps, {
    userId,
    caller: call.caller,
    actor: adminActor(call),
    within: recheckReach(deps, call, act),
  });
  return { reply: { success: true } };
};

const { permission: securePermission } = operations.identity.adminSecureUser;

type Needs = MailResetLinkNeeds &
  Pick<Deps, "passwords" | "revisionRecords" | "sessions" | "urgentEvents">;

/** Counting stops here. */
const sessionsMax = 1_000;
const passwordLength = 32;

/** The outcome of the transaction, and the event that disables API keys. */
interface Ended {
  passwordEnded: boolean;
  secured: Event | undefined;
}

/**
 * Ends everything in one transaction, with the events that end sessions and keys even if this process dies. The password is replaced by a
 * random one, so that the account keeps its sign-in methods and only a reset opens it again.
 */
const end = async (
  deps: Needs,
  call: CallOf<"adminSecureUser">,
  { user, sessionCount }: { user: UserRow; sessionCount: number },
): Promise<Ended> => {
  const { body, caller } = call;
  const { id: userId } = user;
  const password = await deps.passwords.hash(randomToken(passwordLength, "alphanumeric"));
  const recheck = recheckReach(deps, call, { permission: securePermission, target: user });
  const now = new Date(deps.clock());
  return deps.db.transaction().execute(async (trx) => {
    await recheck(trx);
    if (!(await lockUser(trx, userId))) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile
    const passwordEnded = await endPassword(trx, { userId, password, now });
    await updateSessionsEnded(trx, userId, now);
    await advanceRevision(deps, trx, { userId, caller });
    const secured = await endAccess(trx, deps, { userId, fact: "user.secured" });
    const ended = passwordEnded ? ["password"] : [];
    await appendAudit(trx, deps, {
      actor: adminActor(call),
      subject: { kind: "user", id: userId },
      action: "user.secured",
      caller,
      after: { sessionCount, passwordEnded, ended, ...(body.reason && { reason: body.reason }) },
    });
    return { passwordEnded, secured };
  });
};

/** Mails a link to choose a new password, if the installation and the address allow it. */
const mailReset = async (
  deps: Needs,
  call: CallOf<"adminSecureUser">,
  { id: userId, email }: UserRow,
): Promise<boolean> => {
  const { caller } = call;
  if (!deps.config.emailAndPassword.resetPassword.enabled || isPlaceholderEmail(email))
    return false;
  return mailResetLink(deps, {
    email,
    userId,
    redirectTo: applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "drop" },
    isPartOfAudited: true,
  });
};

/**
 * Secures a user whose account may be compromised: ends sessions, pending sign-ins, mailed links and the password, disables API keys, and
 * mails a link to choose a new password. Second factors, passkeys and linked accounts stay. Writes one audit entry.
 */
export const adminSecureUser: Handler<"adminSecureUser"> = async (deps, call) => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_SECURE_YOURSELF");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  checkReach(deps, call, { permission: securePermission, target: user });
  const live = await deps.sessions.list(userId, new Date(deps.clock()), sessionsMax);
  const sessionCount = live.length;
  const { passwordEnded, secured } = await end(deps, call, { user, sessionCount });
  if (secured) deps.urgentEvents.note(call.caller, secured);
  deps.wakeRelay();
  // The entry above covers the sessions.
  await deps.sessions.revokeAll(userId, undefined, { caller: call.caller });
  const resetMailed = passwordEnded && (await mailReset(deps, call, user));
  return { reply: { sessionCount, passwordEnded, resetMailed } };
};

const { permission: listPermission } = operations.identity.adminListUserSessions;

/** A time before every expiry, so that expired sessions are listed, too. */
const ever = new Date(0);

/**
 * Lists the stored sessions of a user, with impersonations and expired ones. Each has a handle in place of its token, so
 * that no admin can sign in with it. The audit records the admin who read the list.
 */
export const adminListUserSessions: Handler<"adminListUserSessions"> = async (deps, call) => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) return { reply: { sessions: [] } };
  checkReach(deps, call, { permission: listPermission, target: user });
  const { defaultFindManyLimit } = deps.config.database;
  const stored = await deps.sessions.list(user.id, ever, defaultFindManyLimit);
  await appendAudit(deps.db, deps, {
    actor: adminActor(call),
    subject: { kind: "user", id: user.id },
    action: "session.listed",
    caller: call.caller,
  });
  const sessions = stored.map((session) => {
    const shown = deps.showSession(session, sessionHandle(deps.ring, session));
    const { impersonatedBy, impersonationReason } = session;
    return impersonatedBy === null ? shown : Object.assign(shown, { impersonationReason });
  });
  return { reply: { sessions } };
};

const { permission: revokePermission } = operations.identity.adminRevokeUserSession;

/** Ends a session of any user, identified by its token or its handle. Succeeds if there is no such live session. */
export const adminRevokeUserSession: Handler<"adminRevokeUserSession"> = async (deps, call) => {
  const targetSession = await deps.sessions.find(namedTokenHash(deps.ring, call.body.sessionToken));
  if (!targetSession) return { reply: { success: true } };
  checkReach(deps, call, { permission: revokePermission, target: targetSession.user });
  await deps.sessions.revoke(targetSession.session, {
    actor: adminActor(call),
    subject: { kind: "session", id: targetSession.session.id },
    action: "session.revoked",
    caller: call.caller,
  });
  return { reply: { success: true } };
};

const { permission: revokeAllPermission } = operations.identity.adminRevokeUserSessions;

/** Ends every session and pending sign-in by mail of a user, who may be the caller. Succeeds for an unknown user. */
export const adminRevokeUserSessions: Handler<"adminRevokeUserSessions"> = async (deps, call) => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) return { reply: { success: true } };
  checkReach(deps, call, { permission: revokeAllPermission, target: user });
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id);
    await endAccess(trx, deps, { userId: user.id, fact: "session.revoked-all" });
  });
  deps.wakeRelay();
  await endSessions(deps, { userId: user.id, actor: adminActor(call), caller: call.caller });
  return { reply: { success: true } };
};
