import { additionalFieldsOf, type FeatureName, operations } from "@latchkey/contracts";
import {
  type PasskeySource,
  readPasskeySettings,
  type Settings,
} from "@latchkey/service-kit/config";
import { createLooks } from "./pages/looks.ts";
import { accountWebFacts } from "./web/account-web-facts.ts";

const offersPasskeys = (settings: PasskeySource): boolean =>
  readPasskeySettings(settings).relyingParty !== undefined;

/** Returns which features are on, from the options that switch them. */
const featuresOf = (
  settings: Pick<Settings, "network" | "options" | "production">,
): Record<FeatureName, boolean> => {
  const { options } = settings;
  const { username, admin, jwt, openApi, organization, apiKey, phoneNumber, twoFactor, webhooks } =
    options;
  const { google } = options.socialProviders;
  const hasTeams = organization.enabled && organization.teams.enabled;
  const hasRoles = organization.enabled && organization.dynamicAccessControl.enabled;
  const hasPasskeys = offersPasskeys(settings);
  return {
    username: username.enabled,
    admin: admin.enabled,
    jwt: jwt.enabled,
    openApi: openApi.enabled,
    organization: organization.enabled,
    organizationAdmin: organization.enabled && admin.enabled,
    teams: hasTeams,
    teamsAdmin: hasTeams && admin.enabled,
    organizationRoles: hasRoles,
    organizationRolesAdmin: hasRoles && admin.enabled,
    apiKey: apiKey.enabled,
    apiKeyAdmin: apiKey.enabled && admin.enabled,
    twoFactor: twoFactor.enabled,
    twoFactorAdmin: twoFactor.enabled && admin.enabled,
    organizationTwoFactor: twoFactor.enabled && organization.enabled,
    passkey: hasPasskeys,
    passkeyAdmin: hasPasskeys && admin.enabled,
    magicLink: options.magicLink.enabled,
    emailOTP: options.emailOTP.enabled,
    phoneNumber: phoneNumber.enabled,
    phonePasswordReset: phoneNumber.enabled && phoneNumber.passwordReset.enabled,
    oneTimeToken: options.oneTimeToken.enabled,
    oneTap: google !== undefined && google.enabled && google.oneTap,
    oauthProvider: options.oauthProvider.enabled,
    oauthProviderAdmin: options.oauthProvider.enabled && admin.enabled,
    deviceAuthorization: options.deviceAuthorization.enabled,
    oauthProxy: options.oauthProxy.enabled && options.oauthProxy.productionURL !== undefined,
    multiSession: options.multiSession.enabled,
    anonymous: options.anonymous.enabled,
    webhooks: webhooks.enabled && admin.enabled,
    organizationWebhooks:
      webhooks.enabled && webhooks.organizations.enabled && organization.enabled,
  };
};

/** Fills in the limits that depend on other options. */
export const readLimits = (
  { rateLimit, redisUrl }: Pick<Settings["options"], "rateLimit" | "redisUrl">,
  production: boolean,
) =>
  ({
    ...rateLimit,
    enabled: rateLimit.enabled ?? production,
    storage: rateLimit.storage ?? (redisUrl ? "secondary-storage" : "memory"),
  }) as const;

/** The settings that the gateway reads. */
export const readGatewayConfig = ({ options, production, network, brandingFiles }: Settings) => ({
  production,
  appName: options.appName,
  secret: options.secret,
  servesEvents: options.webhooks.enabled,
  oauthProvider: options.oauthProvider,
  deviceAuthorization: options.deviceAuthorization,
  baseURL: options.baseURL,
  basePath: options.basePath,
  trustedOrigins: options.trustedOrigins,
  appURLs: [options.appURL].flat(),
  secondFactorPage: options.twoFactor.enabled ? options.twoFactor.pageURL : undefined,
  /** Of whom the installation requires a second factor. Undefined if of nobody. */
  secondFactorRequired: options.twoFactor.enabled ? options.twoFactor.required : undefined,
  errorURL: options.onAPIError.errorURL,
  /** The origins of previews, to whose callback a browser may be redirected. */
  previewOrigins: options.oauthProxy.enabled ? options.oauthProxy.previewOrigins : [],
  oneTimeToken: options.oneTimeToken,
  multiSession: options.multiSession,
  lastLoginMethod: options.lastLoginMethod,
  anonymous: options.anonymous,
  trustedHosts: options.trustedHosts,
  trustedProxies: options.trustedProxies,
  disabledPaths: options.disabledPaths,
  bearer: options.bearer,
  client: options.client,
  session: options.session,
  /** The application's hooks must see every request, so with hooks each request goes to identity, which runs them. */
  answersFromCookie:
    options.session.cookieCache.enabled && !options.hooks.before && !options.hooks.after,
  /** Operations that run a function of the application for each request. A shared call might repeat it. */
  notShared: new Set<string>(
    options.jwt.enabled && (options.jwt.jwt.definePayload || options.jwt.jwt.getSubject)
      ? [operations.identity.getSession.name]
      : [],
  ),
  sharesCalls: !options.hooks.before && !options.hooks.after,
  captcha: {
    ...options.captcha,
    secretKey: options.captcha.secretKey ?? "", // always set if the feature is on
  },
  rateLimit: readLimits(options, production),
  serviceTokens: options.serviceTokens,
  openApi: options.openApi,
  admin: options.admin,
  organization: options.organization,
  accountWeb: { enabled: options.account.enabled, path: options.account.path },
  looks: createLooks({ options, brandingFiles }),
  accountWebFacts: accountWebFacts(options),
  hooks: options.hooks,
  apiKey: options.apiKey,
  additionalFields: additionalFieldsOf(options),
  features: featuresOf({ options, production, network }),
  advanced: options.advanced,
});

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;
