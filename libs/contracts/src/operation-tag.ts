import type { Operation } from "./operation.ts";
import { apiKeyAdminOperations } from "./operations/apikey/admin.ts";
import { apiKeyAuditOperations } from "./operations/apikey/admin-audit.ts";
import { ownApiKeyOperations } from "./operations/apikey/own.ts";
import { installationAdminOperations } from "./operations/gateway/admin-installation.ts";
import { serviceOperations } from "./operations/gateway/service.ts";
import { accountOperations } from "./operations/identity/accounts.ts";
import { adminOperations } from "./operations/identity/admin.ts";
import { impersonationAdminOperations } from "./operations/identity/admin-impersonation.ts";
import { identityAuditOperations } from "./operations/identity/admin-audit.ts";
import { queueAdminOperations } from "./operations/identity/admin-queues.ts";
import { signingKeyAdminOperations } from "./operations/identity/admin-signing-keys.ts";
import { identityStatisticsOperations } from "./operations/identity/admin-statistics.ts";
import { signInAdminOperations } from "./operations/identity/admin-sign-ins.ts";
import { twoFactorAdminOperations } from "./operations/identity/admin-two-factor.ts";
import { userAdminOperations } from "./operations/identity/admin-users.ts";
import { emailCodeOperations } from "./operations/identity/email-codes.ts";
import { firstRunOperations } from "./operations/identity/first-run.ts";
import { magicLinkOperations } from "./operations/identity/magic-links.ts";
import { oneTimeTokenOperations } from "./operations/identity/one-time-tokens.ts";
import { passkeyAdminOperations } from "./operations/identity/admin-passkeys.ts";
import { passkeyOperations } from "./operations/identity/passkey.ts";
import { passwordOperations } from "./operations/identity/passwords.ts";
import { profileOperations } from "./operations/identity/profile.ts";
import { providerTokenOperations } from "./operations/identity/provider-tokens.ts";
import { sessionOperations } from "./operations/identity/sessions.ts";
import { signInOperations } from "./operations/identity/sign-in.ts";
import { socialOperations } from "./operations/identity/social.ts";
import { tokenOperations } from "./operations/identity/tokens.ts";
import { twoFactorOperations } from "./operations/identity/two-factor.ts";
import { verificationOperations } from "./operations/identity/verification.ts";
import { deliveryAdminOperations } from "./operations/mailer/admin-deliveries.ts";
import { mailerAuditOperations } from "./operations/mailer/admin-audit.ts";
import { organizationAdminOperations } from "./operations/organization/admin.ts";
import { teamAdminOperations } from "./operations/organization/admin-teams.ts";
import { organizationAuditOperations } from "./operations/organization/admin-audit.ts";
import { invitationOperations } from "./operations/organization/invitations.ts";
import { memberOperations } from "./operations/organization/members.ts";
import { organizationLifeOperations } from "./operations/organization/organizations.ts";
import { teamOperations } from "./operations/organization/teams.ts";
import { webhookAdminOperations } from "./operations/webhooks/admin.ts";
import { webhookAuditOperations } from "./operations/webhooks/admin-audit.ts";
import { organizationWebhookOperations } from "./operations/webhooks/organization.ts";
import { twoFactorPolicyOperations } from "./operations/organization/two-factor-policy.ts";

const groups: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  "Sign-up and sign-in": signInOperations,
  Sessions: sessionOperations,
  "Links and codes by mail": { ...magicLinkOperations, ...emailCodeOperations },
  "Sign-in on other sites": oneTimeTokenOperations,
  "E-mail verification": verificationOperations,
  Password: passwordOperations,
  "Second factors": twoFactorOperations,
  Passkeys: passkeyOperations,
  Profile: profileOperations,
  "Sign-in at providers": socialOperations,
  Accounts: accountOperations,
  "Tokens of providers": providerTokenOperations,
  "Signed tokens": tokenOperations,
  Organizations: { ...organizationLifeOperations, ...twoFactorPolicyOperations },
  Members: memberOperations,
  Invitations: invitationOperations,
  Teams: teamOperations,
  "API keys": ownApiKeyOperations,
  "Webhooks of organizations": organizationWebhookOperations,
  Admin: {
    ...adminOperations,
    ...impersonationAdminOperations,
    ...userAdminOperations,
    ...passkeyAdminOperations,
    ...twoFactorAdminOperations,
    ...signInAdminOperations,
    ...identityStatisticsOperations,
    ...signingKeyAdminOperations,
    ...queueAdminOperations,
    ...deliveryAdminOperations,
    ...firstRunOperations,
    ...organizationAdminOperations,
    ...teamAdminOperations,
    ...apiKeyAdminOperations,
    ...identityAuditOperations,
    ...organizationAuditOperations,
    ...apiKeyAuditOperations,
    ...mailerAuditOperations,
    ...webhookAdminOperations,
    ...webhookAuditOperations,
    ...installationAdminOperations,
  },
  Service: serviceOperations,
};

const tags = new Map(
  Object.entries(groups).flatMap(([tag, group]) =>
    Object.values(group).map((declared) => [declared, tag] as const),
  ),
);

/** The headings of the reference page, in order. */
export const operationTags: readonly string[] = Object.keys(groups);

/** Returns the heading of an operation on the reference page, which is that of its group. */
export const operationTag = (declared: Operation): string | undefined => tags.get(declared);
