import { z } from "zod";
import { accountOptions, verificationOptions } from "./options/account.ts";
import { adminOptions } from "./options/admin.ts";
import { apiKeyOptions } from "./options/api-key.ts";
import { advancedOptions } from "./options/advanced.ts";
import { captchaOptions } from "./options/captcha.ts";
import { databaseOptions, databaseUrl } from "./options/databases.ts";
import { emailAndPasswordOptions } from "./options/email-and-password.ts";
import { emailVerificationOptions } from "./options/email-verification.ts";
import { databaseHookOptions, hookOptions } from "./options/hooks.ts";
import { jwtOptions } from "./options/jwt.ts";
import { openApiOptions } from "./options/open-api.ts";
import { functionOption, section } from "./options/option.ts";
import { onApiErrorOptions } from "./options/on-api-error.ts";
import { organizationOptions } from "./options/organization.ts";
import { rateLimitOptions } from "./options/rate-limit.ts";
import { redisUrlOption } from "./options/redis-url.ts";
import { sessionOptions } from "./options/session.ts";
import { type SocialProvidersConfig, socialProviderOptions } from "./options/social-providers.ts";
import { userOptions } from "./options/user.ts";
import { usernameOptions } from "./options/username.ts";

const absoluteUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** The whole option tree with its defaults; the configuration reference is printed from it. */
export const optionsSchema = z.strictObject({
  appName: z.string().min(1).default("Latchkey").describe("Name in mails and on pages."),
  baseURL: absoluteUrl
    .optional()
    .describe("Where clients reach the gateway; a path in it replaces `basePath`. (BASE_URL)"),
  basePath: z
    .string()
    .startsWith("/")
    .default("/api/auth")
    .describe("Path below which the operations live."),
  secret: z
    .array(z.string().min(16, "must have at least 16 characters"))
    .min(1)
    .optional()
    .describe("Secrets: the first signs and seals, all verify and open. (AUTH_SECRET, by commas)")
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
      "Origins and patterns that may call and be redirected to; a function is told no origin of a GET, such as a provider's callback. (TRUSTED_ORIGINS)",
    ),
  trustedHosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Hosts whose requests may say the base URL when none is configured. (TRUSTED_HOSTS)"),
  trustedProxies: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .default([])
    .describe("Proxies whose forwarding headers are believed. (TRUSTED_PROXIES)"),
  disabledPaths: z.array(z.string().startsWith("/")).default([]).describe("Paths answered 404."),
  emailAndPassword: emailAndPasswordOptions,
  emailVerification: emailVerificationOptions,
  session: sessionOptions,
  user: userOptions,
  account: accountOptions,
  verification: verificationOptions,
  socialProviders: socialProviderOptions,
  onAPIError: onApiErrorOptions,
  username: usernameOptions,
  admin: adminOptions,
  organization: organizationOptions,
  apiKey: apiKeyOptions,
  jwt: jwtOptions,
  captcha: captchaOptions,
  openApi: openApiOptions,
  rateLimit: rateLimitOptions,
  bearer: section({
    enabled: z.boolean().default(true).describe("Session tokens in the Authorization header."),
    requireSignature: z
      .boolean()
      .default(false)
      .describe("Only signed tokens, as `set-auth-token` gives them, are taken."),
  }),
  mail: section({
    from: z
      .string()
      .min(3)
      .default("Latchkey <no-reply@localhost>")
      .describe("Sender of every mail. (MAIL_FROM)"),
    smtpUrl: z
      .url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" })
      .optional()
      .describe("The SMTP server; without one, outside production, mails are captured. (SMTP_URL)")
      .meta({ secret: "address" }),
    attemptsMax: z.int().min(1).max(50).default(30).describe("Tries before a mail has failed."),
  }),
  databaseUrl: databaseUrl(
    "Postgres; without one `npm start` brings an embedded one. (DATABASE_URL)",
  ),
  directDatabaseUrl: databaseUrl(
    "Postgres without a pooler between, for migrations and LISTEN. (DIRECT_DATABASE_URL)",
  ),
  databases: databaseOptions,
  redisUrl: redisUrlOption
    .optional()
    .describe(
      "Redis for sessions, limits and the bus; without one Postgres does it. A cluster: `redis-cluster://host:port,host:port`. (REDIS_URL)",
    )
    .meta({ secret: "address" }),
  serviceTokens: z
    .record(
      z.string().regex(/^[a-z0-9-]+$/),
      z.string().min(16, "must have at least 16 characters"),
    )
    .default({})
    .describe("Tokens of internal callers by name. (SERVICE_TOKENS, `name:token,name:token`)")
    .meta({ secret: "whole" }),
  logger: section({
    level: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("error")
      .describe("Least level that is logged. (LOG_LEVEL)"),
    disabled: z.boolean().default(false).describe("Logs nothing."),
  }),
  hooks: hookOptions,
  databaseHooks: databaseHookOptions,
  advanced: advancedOptions,
});

/** The option tree as services read it, defaults filled in. */
export type Options = z.output<typeof optionsSchema>;

/** The option tree as `latchkey.config.ts` writes it. */
export type LatchkeyConfig = Omit<z.input<typeof optionsSchema>, "socialProviders"> & {
  socialProviders?: SocialProvidersConfig | undefined;
};
