import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";

const asIs = (text: string): string => text;

const list = (text: string): string[] => text.split(",").map((item) => item.trim());

/** Any other text stays as it is, and validation rejects it. */
const yesOrNo = (text: string): unknown =>
  ["true", "false"].includes(text) ? text === "true" : text;

const serviceTokens = (text: string): Record<string, string> =>
  Object.fromEntries(
    list(text).map((pair, index) => {
      const colon = pair.indexOf(":");
      // A token without a name must not appear in an error as if it were a name.
      if (colon < 0) return [`entry ${index + 1} is not of the form name:token`, ""];
      return [pair.slice(0, colon), pair.slice(colon + 1)];
    }),
  );

/** Any other text fails validation, whose error does not quote it. */
const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** An environment variable that sets an option. */
export interface OptionVariable {
  name: string;
  option: string;
  read: (text: string) => unknown;
  /** Whether it holds a secret or an address with one, so that it may also be given as a file path. */
  isSecret: boolean;
  /** The only service that uses it. */
  service?: ServiceName;
  /** Whether it is merged into the option's value instead of replacing it. */
  adds?: true;
  /** Description in the reference, if the option has no row there. */
  meaning?: string;
}

const plain = (
  name: string,
  option: string,
  read: OptionVariable["read"] = asIs,
): OptionVariable => ({ name, option, read, isSecret: false });

const secret = (...given: Parameters<typeof plain>): OptionVariable => ({
  ...plain(...given),
  isSecret: true,
});

const databaseVariables = (service: ServiceName): OptionVariable[] => {
  const { databaseUrl, directDatabaseUrl } = serviceVariables(service);
  return [
    { ...secret(databaseUrl, `databases.${service}.url`), service },
    { ...secret(directDatabaseUrl, `databases.${service}.directUrl`), service },
  ];
};

/** Maps each variable to its option and parses its text. */
export const optionVariables: readonly OptionVariable[] = [
  plain("BASE_URL", "baseURL"),
  secret("AUTH_SECRET", "secret", list),
  secret("DATABASE_URL", "databaseUrl"),
  secret("DIRECT_DATABASE_URL", "directDatabaseUrl"),
  ...serviceNames.flatMap(databaseVariables),
  plain("DATABASE_PREPARED_STATEMENTS", "advanced.database.preparedStatements", yesOrNo),
  secret("REDIS_URL", "redisUrl"),
  { ...secret("SMTP_URL", "mail.smtpUrl"), service: "mailer" },
  plain("MAIL_FROM", "mail.from"),
  {
    ...plain("BRANDING", "branding", json),
    adds: true,
    meaning:
      'Members of `branding` as JSON: `{ "color": "#7c2d12", "logo": "/etc/latchkey/logo.svg" }`. They are added to those of the file.',
  },
  plain("TRUSTED_ORIGINS", "trustedOrigins", list),
  plain("APP_URL", "appURL", list),
  plain("TRUSTED_HOSTS", "trustedHosts", list),
  plain("TRUSTED_PROXIES", "trustedProxies", list),
  secret("SERVICE_TOKENS", "serviceTokens", serviceTokens),
  {
    ...secret("SOCIAL_PROVIDERS", "socialProviders", json),
    service: "identity",
    adds: true,
    meaning:
      'Providers, or their secrets alone, as JSON: `{ "google": { "clientSecret": "..." } }`. They are added to those of the file.',
  },
  { ...secret("OAUTH_PROXY_SECRET", "oauthProxy.secret"), service: "identity" },
  { ...plain("PHONE_NUMBER_SEND_URL", "phoneNumber.sendURL"), service: "mailer" },
  { ...secret("PHONE_NUMBER_SEND_SECRET", "phoneNumber.sendSecret"), service: "mailer" },
  { ...secret("CAPTCHA_SECRET_KEY", "captcha.secretKey"), service: "gateway" },
  plain("RATE_LIMIT_STORAGE", "rateLimit.storage"),
  { ...plain("PASSWORD_HASH_FORM", "emailAndPassword.password.form"), service: "identity" },
  plain("LOG_LEVEL", "logger.level"),
];
