import { createAuditList } from "@latchkey/service-kit/audit";
import type { OperationChecks, OperationHandlers } from "@latchkey/service-kit/run";
import {
  accountInfo,
  getAccessToken,
  getAccessTokenOf,
  refreshToken,
  refreshTokenOf,
} from "./accounts/provider-tokens.ts";
import { listAccounts, adminUnlinkAccount, unlinkAccount } from "./accounts/own-accounts.ts";
import {
  adminBanUser,
  adminUnbanUser,
  adminListUserSessions,
  adminRevokeUserSession,
  adminRevokeUserSessions,
  adminSecureUser,
  adminRemoveUser,
  adminSetRole,
} from "./admin/user-access.ts";
import { completeFirstRun, checkFirstRun } from "./admin/first-run.ts";
import {
  adminCreateUser,
  adminInviteUser,
  adminResendUserInvitation,
} from "./admin/create-user.ts";
import { adminListDuplicates } from "./admin/duplicates/list-duplicates.ts";
import { adminMergeUsers, adminUndoMerge } from "./admin/duplicates/merge-users.ts";
import {
  adminGetUser,
  adminReadUser,
  adminReadSignInState,
  adminListRefusedSignIns,
} from "./admin/read-user.ts";
import {
  hasPermission,
  adminHasPermission,
  adminListPermissions,
  mayActOnUsers,
  recordRateLimitReset,
} from "./admin/permissions.ts";
import {
  adminImpersonateUser,
  adminOpenImpersonationLink,
  adminCreateImpersonationLink,
  adminStopImpersonating,
} from "./admin/impersonation.ts";
import {
  listDeviceSessions,
  revokeDeviceSession,
  setActiveDeviceSession,
  signOut,
} from "./access/device-sessions.ts";
import { adminListUsers } from "./admin/user-list/list-users.ts";
import {
  adminSendVerification,
  adminVerifyUserEmail,
  adminResetTwoFactor,
  adminSendPasswordReset,
  adminSetUserPassword,
} from "./admin/credentials.ts";
import { adminUpdateUser } from "./admin/update-user.ts";
import {
  generateOneTimeToken,
  returnToApplication,
  verifyOneTimeToken,
} from "./cross-site-sign-in/one-time-token.ts";
import type { Deps } from "./deps.ts";
import {
  changeEmailOtp,
  requestEmailChangeOtp,
  changeEmail,
  checkUsernameFirst,
  updateUser,
} from "./profile/update-user.ts";
import {
  checkVerificationOtp,
  createVerificationOtp,
  requestPasswordResetOtp,
  sendVerificationOtp,
} from "./mailed-sign-in/verification-codes.ts";
import { resetPasswordOtp, signInEmailOtp, verifyEmailOtp } from "./mailed-sign-in/email-codes.ts";
import { completeSignUp } from "./social/pending-sign-up.ts";
import { followUserRevisions } from "./user-revisions/follow-user-revisions.ts";
import { deleteAnonymousUser, signInAnonymous } from "./guests/guests.ts";
import { changePassword, setPassword, verifyPassword } from "./passwords/change-password.ts";
import {
  checkPasswordReset,
  openPasswordReset,
  requestPasswordReset,
  resetPassword,
} from "./passwords/reset-password.ts";
import {
  disableTwoFactor,
  enableTwoFactor,
  generateBackupCodes,
  getTotpUri,
} from "./second-factor/settings.ts";
import { readTwoFactorStatus } from "./second-factor/read-two-factor-status.ts";
import {
  sendTwoFactorCode,
  verifyBackupCode,
  verifyTotp,
  verifyTwoFactorCode,
} from "./second-factor/verify-codes.ts";
import {
  listTrustedDevices,
  revokeTrustedDevice,
  revokeTrustedDevices,
} from "./second-factor/trusted-devices.ts";
import {
  adminDiscardMessage,
  adminRetryMessage,
  adminListFailedMessages,
  adminListQueues,
} from "./dead-letters/operations.ts";
import { findRows } from "./users/search/find-rows.ts";
import { chooseOrganization, forgetOrganization } from "./sessions/active-organization.ts";
import {
  getSession,
  refreshSession,
  listOwnActivity,
  listSessions,
  resolveToken,
  revokeOtherSessions,
  revokeSession,
  revokeSessions,
  updateSession,
} from "./access/own-sessions.ts";
import { callback, callbackPost, openInAppBrowser } from "./social/callback.ts";
import { linkSocial, signInSocial } from "./social/begin-flow.ts";
import { oauthProxyCallback, oauthProxyCompletion } from "./social/oauth-proxy.ts";
import { signInOneTap } from "./social/one-tap.ts";
import { countRefusals, countSecondStepRefusals } from "./statistics/count-refusal.ts";
import {
  adminListUserPasskeys,
  adminRemoveUserPasskey,
  deletePasskey,
  listUserPasskeys,
  updatePasskey,
} from "./passkeys/own-passkeys.ts";
import { generateAuthenticateOptions, verifyAuthentication } from "./passkeys/sign-in.ts";
import { generateRegisterOptions, verifyRegistration } from "./passkeys/registration.ts";
import {
  adminReadIdentityStatistics,
  adminReadSignInMethods,
} from "./statistics/read-identity-statistics.ts";
import {
  adminListSigningKeys,
  adminRotateSigningKeys,
  getJwks,
} from "./jwt/signing-key-operations.ts";
import { getToken } from "./jwt/session-token.ts";
import {
  signInMagicLink,
  verifyMagicLink,
  verifyMagicLinkPost,
} from "./mailed-sign-in/magic-links.ts";
import { deleteUserCallback, deleteUserCallbackPost, deleteUser } from "./profile/delete-user.ts";
import { startDeviceSession } from "./cross-site-sign-in/allowed-device.ts";
import { findGrantSubject, findKeyOwner } from "./sessions/requirement.ts";
import { describeUsers, findUsers } from "./users/find-users.ts";
import { listUsersBy } from "./users/queries.ts";
import { isUsernameAvailable } from "./users/username-rules.ts";
import { signInEmail, signInUsername } from "./sign-in/sign-in-password.ts";
import { signUpEmail } from "./sign-in/sign-up-email.ts";
import { requestPhonePasswordReset, resetPhonePassword } from "./phone-numbers/reset-password.ts";
import { sendPhoneOtp, signInPhoneNumber, verifyPhoneNumber } from "./phone-numbers/sign-in.ts";
import { getPicture, uploadPicture } from "./profile/pictures.ts";
import { undoEmailChange, undoEmailChangePost } from "./profile/undo-email-change.ts";
import { sendVerificationEmail } from "./email-verification/request-verification.ts";
import { verifyEmail, verifyEmailPost } from "./profile/verify-email.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"identity", Deps> = {
  signUpEmail,
  signInEmail: countRefusals(signInEmail),
  signOut,
  getSession,
  refreshSession,
  updateSession,
  listSessions,
  listActivity: listOwnActivity,
  revokeSession,
  revokeSessions,
  revokeOtherSessions,
  sendVerificationEmail,
  verifyEmail,
  verifyEmailPost,
  signInMagicLink,
  sendVerificationOtp,
  signInEmailOtp: countRefusals(signInEmailOtp),
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
  listDeviceSessions,
  setActiveDeviceSession,
  revokeDeviceSession,
  verifyOneTimeToken,
  verifyMagicLink: countRefusals(verifyMagicLink),
  verifyMagicLinkPost: countRefusals(verifyMagicLinkPost),
  requestPasswordReset,
  forgetPassword: requestPasswordReset,
  checkPasswordReset,
  openPasswordReset,
  resetPassword,
  signInAnonymous,
  deleteAnonymousUser,
  changePassword,
  verifyPassword,
  setPassword,
  updateUser,
  uploadPicture,
  getPicture,
  changeEmail,
  undoEmailChange,
  undoEmailChangePost,
  deleteUser,
  deleteUserCallback,
  deleteUserCallbackPost,
  signInUsername: countRefusals(signInUsername),
  sendPhoneOtp,
  verifyPhoneNumber: countRefusals(verifyPhoneNumber),
  signInPhoneNumber: countRefusals(signInPhoneNumber),
  requestPhonePasswordReset,
  resetPhonePassword,
  isUsernameAvailable,
  generateRegisterOptions,
  verifyRegistration,
  generateAuthenticateOptions,
  generateAuthenticateOptionsPost: generateAuthenticateOptions,
  verifyAuthentication: countRefusals(verifyAuthentication),
  listUserPasskeys,
  updatePasskey,
  deletePasskey,
  adminListUserPasskeys,
  adminRemoveUserPasskey,
  listAccounts,
  unlinkAccount,
  signInSocial,
  signInOneTap: countRefusals(signInOneTap),
  openInAppBrowser,
  callback,
  callbackPost,
  oauthProxyCompletion,
  oauthProxyCallback,
  linkSocial,
  getAccessToken,
  getAccessTokenOf,
  refreshToken,
  refreshTokenOf,
  accountInfo,
  readAccountInfo: accountInfo,
  setRole: adminSetRole,
  createUser: adminCreateUser,
  hasPermission,
  mayActOn: mayActOnUsers,
  recordRateLimitReset,
  findRows,
  getToken,
  getJwks,
  enableTwoFactor,
  disableTwoFactor,
  getTotpUri,
  verifyTotp: countSecondStepRefusals(verifyTotp),
  sendTwoFactorCode,
  verifyTwoFactorCode: countSecondStepRefusals(verifyTwoFactorCode),
  verifyBackupCode: countSecondStepRefusals(verifyBackupCode),
  generateBackupCodes,
  readTwoFactorStatus,
  listTrustedDevices,
  revokeTrustedDevice,
  revokeTrustedDevices,
  followUserRevisions,
  resolveSession: resolveToken,
  findUsers,
  describeUsers,
  chooseOrganization,
  forgetOrganization,
  findKeyOwner,
  findGrantSubject,
  startDeviceSession,
  adminSetRole,
  adminCreateUser,
  adminListUsers,
  adminReadUser,
  adminUpdateUser,
  adminListUserSessions,
  adminBanUser,
  adminUnbanUser,
  adminImpersonateUser,
  adminCreateImpersonationLink,
  adminOpenImpersonationLink,
  adminStopImpersonating,
  adminRevokeUserSession,
  adminRevokeUserSessions,
  adminResetTwoFactor,
  adminReadSignInState,
  adminListRefusedSignIns,
  adminSecureUser,
  adminUnlinkAccount,
  adminSendVerification,
  adminRemoveUser,
  adminSetUserPassword,
  adminGetUser,
  adminListDuplicates,
  adminMergeUsers,
  adminUndoMerge,
  adminVerifyUserEmail,
  adminSendPasswordReset,
  adminInviteUser,
  adminResendUserInvitation,
  adminReadIdentityStatistics,
  adminReadSignInMethods,
  adminListSigningKeys,
  adminRotateSigningKeys,
  adminListIdentityAudit: createAuditList(({ db }: Pick<Deps, "db">, emails) =>
    listUsersBy(db, { ids: [], emails }),
  ),
  checkFirstRun,
  completeFirstRun,
  completeSignUp,
  adminHasPermission,
  adminListPermissions,
  adminListQueues,
  adminListFailedMessages,
  adminRetryMessage,
  adminDiscardMessage,
};

/** Checks of the raw body that run before any other. */
export const firstChecks: OperationChecks<"identity", Deps> = {
  signUpEmail: checkUsernameFirst,
  updateUser: checkUsernameFirst,
};
