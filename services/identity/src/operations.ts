import type { operations } from "@latchkey/contracts";
import type { FirstChecks, Handlers } from "@latchkey/service-kit";
import { listAccounts } from "./accounts/list-accounts.ts";
import { accountInfo } from "./accounts/account-info.ts";
import { getAccessToken, getAccessTokenOf } from "./accounts/get-access-token.ts";
import { refreshToken, refreshTokenOf } from "./accounts/refresh-token.ts";
import { unlinkAccount } from "./accounts/unlink-account.ts";
import { createUser } from "./admin/create-user.ts";
import { hasPermission } from "./admin/has-permission.ts";
import { mayActOnUsers } from "./admin/may-act-on.ts";
import { setRole } from "./admin/set-role.ts";
import { createAdminHandlers } from "./admin-operations.ts";
import type { Deps } from "./deps.ts";
import { followUserEpochs } from "./epochs/follow-user-epochs.ts";
import { changePassword } from "./passwords/change-password.ts";
import { openPasswordReset } from "./passwords/open-password-reset.ts";
import { requestPasswordReset } from "./passwords/request-password-reset.ts";
import { resetPassword } from "./passwords/reset-password.ts";
import { setPassword } from "./passwords/set-password.ts";
import { findRows } from "./rows/find-rows.ts";
import { chooseOrganization } from "./sessions/choose-organization.ts";
import { forgetOrganization } from "./sessions/forget-organization.ts";
import { getSession, refreshSession } from "./sessions/get-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { resolveToken } from "./sessions/resolve-token.ts";
import { revokeSession } from "./sessions/revoke-session.ts";
import { revokeOtherSessions, revokeSessions } from "./sessions/revoke-sessions.ts";
import { signOut } from "./sessions/sign-out.ts";
import { updateSession } from "./sessions/update-session.ts";
import { callback, callbackPost } from "./social/callback.ts";
import { linkSocial } from "./social/link-social.ts";
import { openInAppBrowser } from "./social/open-in-app-browser.ts";
import { signInSocial } from "./social/sign-in-social.ts";
import { countRefusal } from "./statistics/count-refusal.ts";
import { getJwks } from "./tokens/get-jwks.ts";
import { getToken } from "./tokens/get-token.ts";
import { changeEmail } from "./users/change-email.ts";
import { checkUsernameFirst } from "./users/check-username-first.ts";
import { deleteUserCallback, deleteUserCallbackPost } from "./users/delete-user-callback.ts";
import { deleteUser } from "./users/delete-user.ts";
import { findKeyOwner } from "./users/find-key-owner.ts";
import { findUsers } from "./users/find-users.ts";
import { isUsernameAvailable } from "./users/is-username-available.ts";
import { signInEmail } from "./users/sign-in-email.ts";
import { signInUsername } from "./users/sign-in-username.ts";
import { signUpEmail } from "./users/sign-up-email.ts";
import { updateUser } from "./users/update-user.ts";
import { sendVerificationEmail } from "./verification/send-verification-email.ts";
import { verifyEmail, verifyEmailPost } from "./verification/verify-email.ts";

/** Maps the operations to their handlers. */
export const createHandlers = (deps: Deps): Handlers<typeof operations.identity> => ({
  signUpEmail: (call) => signUpEmail(deps, call),
  signInEmail: (call) => countRefusal(deps, () => signInEmail(deps, call)),
  signOut: (call) => signOut(deps, call),
  getSession: (call) => getSession(deps, call),
  refreshSession: (call) => refreshSession(deps, call),
  updateSession: (call) => updateSession(deps, call),
  listSessions: (call) => listSessions(deps, call),
  revokeSession: (call) => revokeSession(deps, call),
  revokeSessions: (call) => revokeSessions(deps, call),
  revokeOtherSessions: (call) => revokeOtherSessions(deps, call),
  sendVerificationEmail: (call) => sendVerificationEmail(deps, call),
  verifyEmail: (call) => verifyEmail(deps, call),
  verifyEmailPost: (call) => verifyEmailPost(deps, call),
  requestPasswordReset: (call) => requestPasswordReset(deps, call),
  forgetPassword: (call) => requestPasswordReset(deps, call),
  openPasswordReset: (call) => openPasswordReset(deps, call),
  resetPassword: (call) => resetPassword(deps, call),
  changePassword: (call) => changePassword(deps, call),
  setPassword: (call) => setPassword(deps, call),
  updateUser: (call) => updateUser(deps, call),
  changeEmail: (call) => changeEmail(deps, call),
  deleteUser: (call) => deleteUser(deps, call),
  deleteUserCallback: (call) => deleteUserCallback(deps, call),
  deleteUserCallbackPost: (call) => deleteUserCallbackPost(deps, call),
  signInUsername: (call) => countRefusal(deps, () => signInUsername(deps, call)),
  isUsernameAvailable: (call) => isUsernameAvailable(deps, call),
  listAccounts: (call) => listAccounts(deps, call),
  unlinkAccount: (call) => unlinkAccount(deps, call),
  signInSocial: (call) => signInSocial(deps, call),
  openInAppBrowser: (call) => openInAppBrowser(deps, call),
  callback: (call) => callback(deps, call),
  callbackPost: (call) => callbackPost(deps, call),
  linkSocial: (call) => linkSocial(deps, call),
  getAccessToken: (call) => getAccessToken(deps, call),
  getAccessTokenOf: (call) => getAccessTokenOf(deps, call),
  refreshToken: (call) => refreshToken(deps, call),
  refreshTokenOf: (call) => refreshTokenOf(deps, call),
  accountInfo: (call) => accountInfo(deps, call),
  readAccountInfo: (call) => accountInfo(deps, call),
  setRole: (call) => setRole(deps, call),
  createUser: (call) => createUser(deps, call),
  hasPermission: (call) => hasPermission(deps, call),
  mayActOn: (call) => mayActOnUsers(deps, call),
  ...createAdminHandlers(deps),
  findRows: (call) => findRows(deps, call),
  getToken: (call) => getToken(deps, call),
  getJwks: (call) => getJwks(deps, call),
  followUserEpochs: (call) => followUserEpochs(deps, call),
  resolveSession: (call) => resolveToken(deps, call),
  findUsers: (call) => findUsers(deps, call),
  chooseOrganization: (call) => chooseOrganization(deps, call),
  forgetOrganization: (call) => forgetOrganization(deps, call),
  findKeyOwner: (call) => findKeyOwner(deps, call),
});

/** Checks of the raw body that run before any other. */
export const createFirstChecks = (deps: Deps): FirstChecks<typeof operations.identity> => ({
  signUpEmail: (caller, sent) => checkUsernameFirst(deps, caller, sent),
  updateUser: (caller, sent) => checkUsernameFirst(deps, caller, sent),
});
