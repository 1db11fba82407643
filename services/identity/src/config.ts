import { additionalFieldsOf, sendsVerificationOnSignUp } from "@latchkey/contracts";
import { readPasskeySettings, type Settings } from "@latchkey/service-kit/config";

/** Returns the settings of the identity service. */
export const readIdentityConfig = ({ options, production, network }: Settings) => ({
  emailAndPassword: options.emailAndPassword,
  emailVerification: {
    ...options.emailVerification,
    sendOnSignUp: sendsVerificationOnSignUp(options),
  },
  session: options.session,
  user: options.user,
  additionalFields: additionalFieldsOf(options),
  account: options.account,
  verification: options.verification,
  socialProviders: options.socialProviders,
  oauthProxy: options.oauthProxy,
  onAPIError: options.onAPIError,
  outbound: options.advanced.outbound,
  username: options.username,
  appName: options.appName,
  twoFactor: options.twoFactor,
  passkey: {
    ...options.passkey,
    ...readPasskeySettings({ options, production, network }),
  },
  magicLink: options.magicLink,
  emailOTP: options.emailOTP,
  phoneNumber: options.phoneNumber,
  oneTimeToken: options.oneTimeToken,
  multiSession: options.multiSession,
  lastLoginMethod: options.lastLoginMethod,
  anonymous: options.anonymous,
  admin: options.admin,
  recordsEvents: options.webhooks.enabled,
  oauthProvider: options.oauthProvider,
  deviceAuthorization: options.deviceAuthorization,
  organization: options.organization,
  inertLinks: options.mail.inertLinks,
  jwt: options.jwt,
  baseURL: options.baseURL,
  appURL: options.appURL,
  /** Undefined if rate limits are off. */
  linkMailLimit:
    (options.rateLimit.enabled ?? production) ? options.rateLimit.linkMails : undefined,
  /** Undefined if rate limits are off. */
  signInMailLimit:
    (options.rateLimit.enabled ?? production) ? options.rateLimit.signInMails : undefined,
  databaseHooks: options.databaseHooks,
  database: options.advanced.database,
  redisKeyPrefix: options.advanced.redisKeyPrefix,
});

export type IdentityConfig = ReturnType<typeof readIdentityConfig>;
