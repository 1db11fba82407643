import { z } from "zod";
import { accountOptions, verificationOptions } from "./options/account.ts";
import { adminOptions } from "./options/admin.ts";
import { anonymousOptions } from "./options/anonymous.ts";
import { apiKeyOptions } from "./options/api-key.ts";
import { advancedOptions } from "./options/advanced.ts";
import { brandingOptions } from "./options/branding.ts";
import { captchaOptions } from "./options/captcha.ts";
import { databaseOptions, databaseUrl } from "./options/databases.ts";
import { emailAndPasswordOptions } from "./options/email-and-password.ts";
import { emailOtpOptions } from "./options/email-otp.ts";
import { emailVerificationOptions } from "./options/email-verification.ts";
import { databaseHookOptions, hookOptions } from "./options/hooks.ts";
import { jwtOptions } from "./options/jwt.ts";
import { sdkVersion } from "./caller.ts";
import { mailLocale } from "./mail-locale.ts";
import { openApiOptions } from "./options/open-api.ts";
import { magicLinkOptions } from "./options/magic-link.ts";
import { lastLoginMethodOptions, multiSessionOptions } from "./options/multi-session.ts";
import { oneTimeTokenOptions } from "./options/one-time-token.ts";
import { functionOption, pageUrl, section } from "./options/option.ts";
import { organizationOptions } from "./options/organization.ts";
import { passkeyOptions } from "./options/passkey.ts";
import { phoneNumberOptions } from "./options/phone-number.ts";
import { rateLimitOptions } from "./options/rate-limit.ts";
import { redisUrlOption } from "./options/redis-url.ts";
import { sessionOptions } from "./options/session.ts";
import { type SocialProvidersConfig, socialProviderOptions } from "./options/social-providers.ts";
import { twoFactorOptions } from "./options/two-factor.ts";
import { userOptions } from "./options/user.ts";
import { usernameOptions } from "./options/username.ts";
import { deviceAuthorizationOptions } from "./options/device-authorization.ts";
import { oauthProxyOptions } from "./options/oauth-proxy.ts";
import { oauthProviderOptions } from "./options/oauth-provider.ts";
import { webhookOptions } from "./options/webhooks.ts";

const absoluteUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** The option tree with its defaults. The configuration reference is generated from it. */
export const optionsSchema = z.strictObject({
  appName: z
    .string()
    .min(1)
    .default("Latchkey")
    .describe("Name of the application in mails and on pages."),
  baseURL: absoluteUrl
    .optional()
    .describe(
      "URL under which clients reach the gateway. A path in it replaces `basePath`. (BASE_URL)",
    ),
  basePath: z
    .string()
    .startsWith("/")
    .default("/api/auth")
    .describe("Base path of the operations."),
  secret: z
    .array(z.string().min(16, "must have at least 16 characters"))
    .min(1)
    .optional()
    .describe(
      "Secrets. The first one signs and encrypts, all of them verify and decrypt. (AUTH_SECRET, separated by commas)",
    )
    .meta({ secret: "whole" }),
  trustedOrigins: z
    .union([
      z.array(
        z
          .string()
          .min(
            1,
            "A provided trusted origin is invalid, make sure your trusted origins list is properly defined.",
          ),
      ),
      functionOption<
        (request: { origin?: string; host?: string }) => string[] | Promise<string[]>
      >(),
    ])
    .default([])
    .describe(
      "Origins and patterns that may send requests and be redirected to. A pattern without a scheme means https, outside production also http. Name other schemes in full, as `myapp://`. A function receives no origin for a GET, such as a provider's callback. (TRUSTED_ORIGINS)",
    ),
  appURL: z
    .union([pageUrl, z.array(pageUrl)])
    .default([])
    .describe(
      "URL of your application. Links without a callback lead to it, and its origin is trusted. If there are several, the first one is used unless a request comes from another. (APP_URL)",
    ),
  trustedHosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Hosts whose requests determine the base URL if none is configured. (TRUSTED_HOSTS)"),
  trustedProxies: z
    .array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
        error: "must be an IP address, or a range such as 10.0.0.0/8",
      }),
    )
    .default([])
    .describe("Proxies whose forwarding headers are trusted. (TRUSTED_PROXIES)"),
  disabledPaths: z
    .array(z.string().startsWith("/"))
    .default([])
    .describe("Paths that are answered with 404."),
  emailAndPassword: emailAndPasswordOptions,
  emailVerification: emailVerificationOptions,
  session: sessionOptions,
  user: userOptions,
  account: accountOptions,
  verification: verificationOptions,
  socialProviders: socialProviderOptions,
  onAPIError: section({
    errorURL: absoluteUrl
      .optional()
      .describe("Page that shows the error of a sign-in at a provider. By default `{base}/error`."),
  }),
  oauthProxy: oauthProxyOptions,
  username: usernameOptions,
  twoFactor: twoFactorOptions,
  passkey: passkeyOptions,
  magicLink: magicLinkOptions,
  emailOTP: emailOtpOptions,
  phoneNumber: phoneNumberOptions,
  oneTimeToken: oneTimeTokenOptions,
  multiSession: multiSessionOptions,
  lastLoginMethod: lastLoginMethodOptions,
  anonymous: anonymousOptions,
  admin: adminOptions,
  organization: organizationOptions,
  apiKey: apiKeyOptions,
  webhooks: webhookOptions,
  oauthProvider: oauthProviderOptions,
  deviceAuthorization: deviceAuthorizationOptions,
  jwt: jwtOptions,
  captcha: captchaOptions,
  openApi: openApiOptions,
  rateLimit: rateLimitOptions,
  client: section({
    version: sdkVersion
      .default("1.2")
      .describe(
        "SDK version of clients that do not send `x-sdk-version`. It decides error codes and the format of API keys where 1.2 and 1.7 differ. Set `1.7` in new applications.",
      ),
  }),
  bearer: section({
    enabled: z
      .boolean()
      .default(true)
      .describe("Accepts session tokens in the Authorization header."),
    requireSignature: z
      .boolean()
      .default(false)
      .describe("Accepts only signed tokens, as returned in `set-auth-token`."),
  }),
  branding: brandingOptions,
  mail: section({
    from: z
      .string()
      .min(3)
      .default("Latchkey <no-reply@localhost>")
      .describe("Sender of all mails. (MAIL_FROM)"),
    smtpUrl: z
      .url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" })
      .optional()
      .describe(
        "SMTP server. Without one, outside production, mails are captured instead of sent. (SMTP_URL)",
      )
      .meta({ secret: "address" }),
    locale: mailLocale
      .default("en")
      .describe(
        "Language of mails whose reader has none. A user has the language of the additional field `locale` (such as `de-AT`), if there is one, else that of the browser that causes the mail.",
      ),
    inertLinks: z
      .enum(["elsewhere", "off", "always"])
      .default("elsewhere")
      .describe(
        "When a mailed link shows a confirmation page before it acts: `elsewhere` (in another browser than the one that requested it), `always`, or never (`off`). Calls of the client always act at once.",
      ),
    attemptsMax: z
      .int()
      .min(1)
      .max(50)
      .default(30)
      .describe("Attempts before a mail counts as failed."),
  }),
  databaseUrl: databaseUrl(
    "Postgres. Without it, `npm start` starts an embedded one. (DATABASE_URL)",
  ),
  directDatabaseUrl: databaseUrl(
    "Postgres without a pooler in between, for migrations and LISTEN. (DIRECT_DATABASE_URL)",
  ),
  databases: databaseOptions,
  redisUrl: redisUrlOption
    .optional()
    .describe(
      "Redis for sessions, limits and the bus. Without it, Postgres takes its place. A cluster: `redis-cluster://host:port,host:port`. (REDIS_URL)",
    )
    .meta({ secret: "address" }),
  serviceTokens: z
    .record(
      z.string().regex(/^[a-z0-9-]+$/),
      z.string().min(16, "must have at least 16 characters"),
    )
    .default({})
    .describe("Tokens of internal callers, by name. (SERVICE_TOKENS, `name:token,name:token`)")
    .meta({ secret: "whole" }),
  logger: section({
    level: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("error")
      .describe("Lowest level that is logged. (LOG_LEVEL)"),
    disabled: z.boolean().default(false).describe("Turns all logging off."),
  }),
  hooks: hookOptions,
  databaseHooks: databaseHookOptions,
  advanced: advancedOptions,
});

/** The option tree as services read it, with defaults filled in. */
export type Options = z.output<typeof optionsSchema>;

/** The option tree as `latchkey.config.ts` declares it. */
export type LatchkeyConfig = Omit<z.input<typeof optionsSchema>, "socialProviders"> & {
  socialProviders?: SocialProvidersConfig | undefined;
};
