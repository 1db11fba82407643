import {
  createAuditList,
  type OperationChecks,
  type OperationHandlers,
} from "@latchkey/service-kit";
import { accountInfo } from "./accounts/account-info.ts";
import { getAccessToken, getAccessTokenOf } from "./accounts/get-access-token.ts";
import { listAccounts } from "./accounts/list-accounts.ts";
import { refreshToken, refreshTokenOf } from "./accounts/refresh-token.ts";
import { adminUnlinkAccount } from "./accounts/admin-unlink-account.ts";
import { unlinkAccount } from "./accounts/unlink-account.ts";
import { banUser } from "./admin/ban-user.ts";
import { checkFirstRun } from "./admin/check-first-run.ts";
import { completeFirstRun } from "./admin/complete-first-run.ts";
import { createUser } from "./admin/create-user.ts";
import { getUser } from "./admin/get-user.ts";
import { hasPermission } from "./admin/has-permission.ts";
import { hasPermissionAsAdmin } from "./admin/has-permission.ts";
import { createImpersonationLink } from "./admin/create-impersonation-link.ts";
import { openImpersonationLink } from "./admin/open-impersonation-link.ts";
import { impersonateUser } from "./admin/impersonate-user.ts";
import { listPermissions } from "./admin/list-permissions.ts";
import { listUserSessions } from "./admin/list-user-sessions.ts";
import { listUsers } from "./admin/list-users.ts";
import { mayActOnUsers } from "./admin/may-act-on.ts";
import { recordRateLimitReset } from "./admin/record-rate-limit-reset.ts";
import { readUser } from "./admin/read-user.ts";
import { readSignInState } from "./admin/read-sign-in-state.ts";
import { secureUser } from "./admin/secure-user.ts";
import { sendVerification } from "./admin/send-verification.ts";
import { listRefusedSignIns } from "./refused-sign-ins/list-refused-sign-ins.ts";
import { resetTwoFactor } from "./admin/reset-two-factor.ts";
import { removeUser } from "./admin/remove-user.ts";
import { revokeUserSession } from "./admin/revoke-user-session.ts";
import { revokeUserSessions } from "./admin/revoke-user-sessions.ts";
import { sendPasswordReset } from "./admin/send-password-reset.ts";
import { setRole } from "./admin/set-role.ts";
import { setUserPassword } from "./admin/set-user-password.ts";
import { stopImpersonating } from "./admin/stop-impersonating.ts";
import { unbanUser } from "./admin/unban-user.ts";
import { updateUser as adminUpdateUser } from "./admin/update-user.ts";
import { verifyUserEmail } from "./admin/verify-user-email.ts";
import { generateOneTimeToken } from "./cross-site-sign-in/generate-one-time-token.ts";
import { returnToApplication } from "./cross-site-sign-in/return-to-application.ts";
import { verifyOneTimeToken } from "./cross-site-sign-in/verify-one-time-token.ts";
import type { Deps } from "./deps.ts";
import { changeEmailOtp, requestEmailChangeOtp } from "./email-codes/change-email-otp.ts";
import { checkVerificationOtp } from "./email-codes/check-verification-otp.ts";
import { createVerificationOtp } from "./email-codes/create-verification-otp.ts";
import { resetPasswordOtp } from "./email-codes/reset-password-otp.ts";
import {
  requestPasswordResetOtp,
  sendVerificationOtp,
} from "./email-codes/send-verification-otp.ts";
import { signInEmailOtp } from "./email-codes/sign-in-email-otp.ts";
import { verifyEmailOtp } from "./email-codes/verify-email-otp.ts";
import { followUserRevisions } from "./user-revisions/follow-user-revisions.ts";
import { changePassword } from "./passwords/change-password.ts";
import { openPasswordReset } from "./passwords/open-password-reset.ts";
import { requestPasswordReset } from "./passwords/request-password-reset.ts";
import { resetPassword } from "./passwords/reset-password.ts";
import { setPassword } from "./passwords/set-password.ts";
import { disableTwoFactor } from "./second-factor/disable-two-factor.ts";
import { enableTwoFactor } from "./second-factor/enable-two-factor.ts";
import { generateBackupCodes } from "./second-factor/generate-backup-codes.ts";
import { getTotpUri } from "./second-factor/get-totp-uri.ts";
import { readTwoFactorStatus } from "./second-factor/read-two-factor-status.ts";
import { sendTwoFactorCode } from "./second-factor/send-two-factor-code.ts";
import {
  listTrustedDevices,
  revokeTrustedDevice,
  revokeTrustedDevices,
} from "./second-factor/trusted-devices.ts";
import { verifyBackupCode } from "./second-factor/verify-backup-code.ts";
import { verifyTotp } from "./second-factor/verify-totp.ts";
import { verifyTwoFactorCode } from "./second-factor/verify-two-factor-code.ts";
import { discardMessage } from "./dead-letters/discard-message.ts";
import { listFailedMessages } from "./dead-letters/list-failed-messages.ts";
import { listQueues } from "./dead-letters/list-queues.ts";
import { retryMessage } from "./dead-letters/retry-message.ts";
import { findRows } from "./users/search/find-rows.ts";
import { chooseOrganization } from "./sessions/choose-organization.ts";
import { forgetOrganization } from "./sessions/forget-organization.ts";
import { getSession, refreshSession } from "./sessions/get-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { resolveToken, resolveTokens } from "./sessions/resolve-token.ts";
import { revokeSession } from "./sessions/revoke-session.ts";
import { revokeOtherSessions, revokeSessions } from "./sessions/revoke-sessions.ts";
import { signOut } from "./sessions/sign-out.ts";
import { updateSession } from "./sessions/update-session.ts";
import { callback, callbackPost } from "./social/callback.ts";
import { linkSocial } from "./social/link-social.ts";
import { openInAppBrowser } from "./social/open-in-app-browser.ts";
import { signInSocial } from "./social/sign-in-social.ts";
import { countRefusal, countSecondStepRefusal } from "./statistics/count-refusal.ts";
import { adminListUserPasskeys } from "./passkeys/admin-list-user-passkeys.ts";
import { adminRemoveUserPasskey } from "./passkeys/admin-remove-user-passkey.ts";
import { deletePasskey } from "./passkeys/delete-passkey.ts";
import { generateAuthenticateOptions } from "./passkeys/generate-authenticate-options.ts";
import { generateRegisterOptions } from "./passkeys/generate-register-options.ts";
import { listUserPasskeys } from "./passkeys/list-user-passkeys.ts";
import { updatePasskey } from "./passkeys/update-passkey.ts";
import { verifyAuthentication } from "./passkeys/verify-authentication.ts";
import { verifyRegistration } from "./passkeys/verify-registration.ts";
import { readSignInMethods } from "./statistics/read-sign-in-methods.ts";
import { readIdentityStatistics } from "./statistics/read-identity-statistics.ts";
import { adminListSigningKeys } from "./jwt/admin-list-signing-keys.ts";
import { adminRotateSigningKeys } from "./jwt/admin-rotate-signing-keys.ts";
import { getJwks } from "./jwt/get-jwks.ts";
import { getToken } from "./jwt/get-token.ts";
import { signInMagicLink } from "./magic-links/sign-in-magic-link.ts";
import { verifyMagicLink, verifyMagicLinkPost } from "./magic-links/verify-magic-link.ts";
import { changeEmail } from "./profile/change-email.ts";
import { checkUsernameFirst } from "./users/check-username-first.ts";
import { deleteUserCallback, deleteUserCallbackPost } from "./profile/delete-user-callback.ts";
import { deleteUser } from "./profile/delete-user.ts";
import { findKeyOwner } from "./users/find-key-owner.ts";
import { describeUsers } from "./users/describe-users.ts";
import { findUsers } from "./users/find-users.ts";
import { listUsersBy } from "./users/queries.ts";
import { isUsernameAvailable } from "./profile/is-username-available.ts";
import { signInEmail } from "./sign-in/sign-in-email.ts";
import { signInUsername } from "./sign-in/sign-in-username.ts";
import { signUpEmail } from "./sign-in/sign-up-email.ts";
import { inviteUser } from "./user-invitations/invite-user.ts";
import { resendUserInvitation } from "./user-invitations/resend-user-invitation.ts";
import { undoEmailChange, undoEmailChangePost } from "./profile/undo-email-change.ts";
import { updateUser } from "./profile/update-user.ts";
import { sendVerificationEmail } from "./email-verification/send-verification-email.ts";
import { verifyEmail, verifyEmailPost } from "./email-verification/verify-email.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"identity", Deps> = {
  signUpEmail,
  signInEmail: (deps, call) => countRefusal(deps, call.caller, () => signInEmail(deps, call)),
  signOut,
  getSession,
  refreshSession,
  updateSession,
  listSessions,
  revokeSession,
  revokeSessions,
  revokeOtherSessions,
  sendVerificationEmail,
  verifyEmail,
  verifyEmailPost,
  signInMagicLink,
  sendVerificationOtp,
  signInEmailOtp: (deps, call) => countRefusal(deps, call.caller, () => signInEmailOtp(deps, call)),
  verifyEmailOtp,
  checkVerificationOtp,
  requestPasswordResetOtp,
  forgetPasswordOtp: requestPasswordResetOtp,
  resetPasswordOtp,
  requestEmailChangeOtp,
  changeEmailOtp,
  createVerificationOtp,
  generateOneTimeToken,
  returnToApplication,
  verifyOneTimeToken,
  verifyMagicLink: (deps, call) =>
    countRefusal(deps, call.caller, () => verifyMagicLink(deps, call)),
  verifyMagicLinkPost: (deps, call) =>
    countRefusal(deps, call.caller, () => verifyMagicLinkPost(deps, call)),
  requestPasswordReset,
  forgetPassword: requestPasswordReset,
  openPasswordReset,
  resetPassword,
  changePassword,
  setPassword,
  updateUser,
  changeEmail,
  undoEmailChange,
  undoEmailChangePost,
  deleteUser,
  deleteUserCallback,
  deleteUserCallbackPost,
  signInUsername: (deps, call) => countRefusal(deps, call.caller, () => signInUsername(deps, call)),
  isUsernameAvailable,
  generateRegisterOptions,
  verifyRegistration,
  generateAuthenticateOptions,
  generateAuthenticateOptionsPost: generateAuthenticateOptions,
  verifyAuthentication: (deps, call) =>
    countRefusal(deps, call.caller, () => verifyAuthentication(deps, call)),
  listUserPasskeys,
  updatePasskey,
  deletePasskey,
  adminListUserPasskeys,
  adminRemoveUserPasskey,
  listAccounts,
  unlinkAccount,
  signInSocial,
  openInAppBrowser,
  callback,
  callbackPost,
  linkSocial,
  getAccessToken,
  getAccessTokenOf,
  refreshToken,
  refreshTokenOf,
  accountInfo,
  readAccountInfo: accountInfo,
  setRole,
  createUser,
  hasPermission,
  mayActOn: mayActOnUsers,
  recordRateLimitReset,
  findRows,
  getToken,
  getJwks,
  enableTwoFactor,
  disableTwoFactor,
  getTotpUri,
  verifyTotp: (deps, call) =>
    countSecondStepRefusal(deps, call.caller, () => verifyTotp(deps, call)),
  sendTwoFactorCode,
  verifyTwoFactorCode: (deps, call) =>
    countSecondStepRefusal(deps, call.caller, () => verifyTwoFactorCode(deps, call)),
  verifyBackupCode: (deps, call) =>
    countSecondStepRefusal(deps, call.caller, () => verifyBackupCode(deps, call)),
  generateBackupCodes,
  readTwoFactorStatus,
  listTrustedDevices,
  revokeTrustedDevice,
  revokeTrustedDevices,
  followUserRevisions,
  resolveSession: resolveToken,
  resolveSessions: resolveTokens,
  findUsers,
  describeUsers,
  chooseOrganization,
  forgetOrganization,
  findKeyOwner,
  adminSetRole: setRole,
  adminCreateUser: createUser,
  adminListUsers: listUsers,
  adminReadUser: readUser,
  adminUpdateUser,
  adminListUserSessions: listUserSessions,
  adminBanUser: banUser,
  adminUnbanUser: unbanUser,
  adminImpersonateUser: impersonateUser,
  adminCreateImpersonationLink: createImpersonationLink,
  adminOpenImpersonationLink: openImpersonationLink,
  adminStopImpersonating: stopImpersonating,
  adminRevokeUserSession: revokeUserSession,
  adminRevokeUserSessions: revokeUserSessions,
  adminResetTwoFactor: resetTwoFactor,
  adminReadSignInState: readSignInState,
  adminListRefusedSignIns: listRefusedSignIns,
  adminSecureUser: secureUser,
  adminUnlinkAccount,
  adminSendVerification: sendVerification,
  adminRemoveUser: removeUser,
  adminSetUserPassword: setUserPassword,
  adminGetUser: getUser,
  adminVerifyUserEmail: verifyUserEmail,
  adminSendPasswordReset: sendPasswordReset,
  adminInviteUser: inviteUser,
  adminResendUserInvitation: resendUserInvitation,
  adminReadIdentityStatistics: readIdentityStatistics,
  adminReadSignInMethods: readSignInMethods,
  adminListSigningKeys,
  adminRotateSigningKeys,
  adminListIdentityAudit: createAuditList(({ db }: Pick<Deps, "db">, emails) =>
    listUsersBy(db, { ids: [], emails }),
  ),
  checkFirstRun,
  completeFirstRun,
  adminHasPermission: hasPermissionAsAdmin,
  adminListPermissions: listPermissions,
  adminListQueues: listQueues,
  adminListFailedMessages: listFailedMessages,
  adminRetryMessage: retryMessage,
  adminDiscardMessage: discardMessage,
};

/** Checks of the raw body that run before any other. */
export const firstChecks: OperationChecks<"identity", Deps> = {
  signUpEmail: checkUsernameFirst,
  updateUser: checkUsernameFirst,
};
