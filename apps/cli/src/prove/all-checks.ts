import type { Check } from "./check.ts";
import { gatewayLimit } from "./checks/counters/gateway-limit.ts";
import { invitationLimit } from "./checks/counters/invitation-limit.ts";
import { keyRate } from "./checks/counters/key-rate.ts";
import { mailedInvitations } from "./checks/counters/mailed-invitations.ts";
import { membershipLimit } from "./checks/counters/membership-limit.ts";
import { organizationLimit } from "./checks/counters/organization-limit.ts";
import { remaining } from "./checks/counters/remaining.ts";
import { secondFactorLock } from "./checks/counters/second-factor-lock.ts";
import { signInCodeTries } from "./checks/counters/sign-in-code-tries.ts";
import { waitingSignInTries } from "./checks/counters/waiting-sign-in-tries.ts";
import { sameAnswers } from "./checks/enumeration/same-answers.ts";
import { sameTimes } from "./checks/enumeration/same-times.ts";
import { firstFactors } from "./checks/factors/first-factors.ts";
import { appCode } from "./checks/once/app-code.ts";
import { backupCode } from "./checks/once/backup-code.ts";
import { deletionLink } from "./checks/once/deletion-link.ts";
import { impersonationLink } from "./checks/once/impersonation-link.ts";
import { invitation } from "./checks/once/invitation.ts";
import { lastOwner } from "./checks/once/last-owner.ts";
import { lastUse } from "./checks/once/last-use.ts";
import { oneTimeToken } from "./checks/once/one-time-token.ts";
import { passkeyChallenge } from "./checks/once/passkey-challenge.ts";
import { resetLink } from "./checks/once/reset-link.ts";
import { signInCode } from "./checks/once/sign-in-code.ts";
import { signInLink } from "./checks/once/sign-in-link.ts";
import { signInState } from "./checks/once/sign-in-state.ts";
import { signUp } from "./checks/once/sign-up.ts";
import { slug } from "./checks/once/slug.ts";
import { trustedBrowser } from "./checks/once/trusted-browser.ts";
import { twoFactorCode } from "./checks/once/two-factor-code.ts";
import { username } from "./checks/once/username.ts";
import { waitingSignIn } from "./checks/once/waiting-sign-in.ts";
import { phones } from "./checks/phones/numbers.ts";
import { foreignHosts } from "./checks/redirects/foreign-hosts.ts";
import { foreignOrigins } from "./checks/redirects/foreign-origins.ts";
import { redirectFields } from "./checks/redirects/redirect-fields.ts";
import { keyEndings } from "./checks/revocation/keys.ts";
import { removedMember, takenRole } from "./checks/revocation/roles.ts";
import { sessionEndings } from "./checks/revocation/sessions.ts";
import { foreignIds, foreignWaysIn } from "./checks/tenants/foreign-ids.ts";
import { membersAsOwners } from "./checks/tenants/members-as-owners.ts";
import { strangers } from "./checks/tenants/strangers.ts";
import { usersAsAdmins } from "./checks/tenants/users-as-admins.ts";
import { hostileURLs, internalHosts } from "./checks/webhooks/internal-addresses.ts";
import { redirectedDelivery } from "./checks/webhooks/redirected-delivery.ts";
import { shownSecret } from "./checks/webhooks/shown-secret.ts";
import { signedDeliveries } from "./checks/webhooks/signed-deliveries.ts";

/** All checks in the order in which they run. */
export const allChecks: readonly Check[] = [
  signUp,
  username,
  slug,
  invitation,
  lastOwner,
  lastUse,
  resetLink,
  deletionLink,
  signInState,
  signInLink,
  signInCode,
  appCode,
  backupCode,
  twoFactorCode,
  waitingSignIn,
  trustedBrowser,
  passkeyChallenge,
  impersonationLink,
  oneTimeToken,
  remaining,
  keyRate,
  membershipLimit,
  invitationLimit,
  mailedInvitations,
  organizationLimit,
  waitingSignInTries,
  secondFactorLock,
  signInCodeTries,
  gatewayLimit,
  strangers,
  usersAsAdmins,
  foreignIds,
  foreignWaysIn,
  membersAsOwners,
  ...firstFactors,
  redirectFields,
  foreignOrigins,
  foreignHosts,
  sameAnswers,
  ...sameTimes,
  ...sessionEndings,
  takenRole,
  removedMember,
  ...keyEndings,
  signedDeliveries,
  redirectedDelivery,
  hostileURLs,
  internalHosts,
  shownSecret,
  ...phones,
];
