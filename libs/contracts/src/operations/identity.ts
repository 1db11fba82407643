import { auditOperations } from "./audit.ts";
import { accountOperations } from "./identity/accounts.ts";
import { adminOperations } from "./identity/admin.ts";
import { impersonationAdminOperations } from "./identity/admin-impersonation.ts";
import { queueAdminOperations } from "./identity/admin-queues.ts";
import { signingKeyAdminOperations } from "./identity/admin-signing-keys.ts";
import { identityStatisticsOperations } from "./identity/admin-statistics.ts";
import { signInAdminOperations } from "./identity/admin-sign-ins.ts";
import { twoFactorAdminOperations } from "./identity/admin-two-factor.ts";
import { userAdminOperations } from "./identity/admin-users.ts";
import { emailCodeOperations } from "./identity/email-codes.ts";
import { firstRunOperations } from "./identity/first-run.ts";
import { guestOperations } from "./identity/guests.ts";
import { internalAdminOperations } from "./identity/internal-admin.ts";
import { internalOperations } from "./identity/internal.ts";
import { internalApiKeySupport } from "./identity/internal-api-key.ts";
import { internalOauthSupport } from "./identity/internal-oauth.ts";
import { internalOrganizationSupport } from "./identity/internal-organization.ts";
import { magicLinkOperations } from "./identity/magic-links.ts";
import { oneTimeTokenOperations } from "./identity/one-time-tokens.ts";
import { multiSessionOperations } from "./identity/multi-session.ts";
import { passkeyAdminOperations } from "./identity/admin-passkeys.ts";
import { passkeyOperations } from "./identity/passkey.ts";
import { passwordOperations } from "./identity/passwords.ts";
import { phoneNumberOperations } from "./identity/phone-number.ts";
import { profileOperations } from "./identity/profile.ts";
import { providerTokenOperations } from "./identity/provider-tokens.ts";
import { sessionOperations } from "./identity/sessions.ts";
import { signInOperations } from "./identity/sign-in.ts";
import { socialOperations } from "./identity/social.ts";
import { tokenOperations } from "./identity/tokens.ts";
import { twoFactorOperations } from "./identity/two-factor.ts";
import { verificationOperations } from "./identity/verification.ts";

/** The operations that the identity service owns. */
export const identityOperations = {
  ...signInOperations,
  ...guestOperations,
  ...sessionOperations,
  ...verificationOperations,
  ...magicLinkOperations,
  ...emailCodeOperations,
  ...phoneNumberOperations,
  ...oneTimeTokenOperations,
  ...multiSessionOperations,
  ...passwordOperations,
  ...profileOperations,
  ...accountOperations,
  ...socialOperations,
  ...providerTokenOperations,
  ...tokenOperations,
  ...twoFactorOperations,
  ...passkeyOperations,
  ...adminOperations,
  ...impersonationAdminOperations,
  ...userAdminOperations,
  ...passkeyAdminOperations,
  ...twoFactorAdminOperations,
  ...signInAdminOperations,
  ...identityStatisticsOperations,
  ...signingKeyAdminOperations,
  ...auditOperations.identity,
  ...queueAdminOperations,
  ...firstRunOperations,
  ...internalAdminOperations,
  ...internalOperations,
  ...internalOrganizationSupport,
  ...internalApiKeySupport,
  ...internalOauthSupport,
} as const;
