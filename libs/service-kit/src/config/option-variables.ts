import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";

const asIs = (text: string): string => text;

const list = (text: string): string[] => text.split(",").map((item) => item.trim());

/** Anything else is left to be refused. */
const yesOrNo = (text: string): unknown =>
  ["true", "false"].includes(text) ? text === "true" : text;

const serviceTokens = (text: string): Record<string, string> =>
  Object.fromEntries(
    list(text).map((pair, index) => {
      const colon = pair.indexOf(":");
      // A token without a name must not be told as if it were one.
      if (colon < 0) return [`entry ${index + 1} is no name:token`, ""];
      return [pair.slice(0, colon), pair.slice(colon + 1)];
    }),
  );

/** A variable that says an option. */
export interface OptionVariable {
  name: string;
  /** The option's name. */
  option: string;
  read: (text: string) => unknown;
  /** Whether it holds a secret, or an address with one, and so may be given as the path of a file. */
  isSecret: boolean;
  /** The only service that goes by it. */
  service?: ServiceName;
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

/** Which variable overlays which option, and how its text is read. */
export const optionVariables: readonly OptionVariable[] = [
  plain("BASE_URL", "baseURL"),
  secret("AUTH_SECRET", "secret", list),
  secret("DATABASE_URL", "databaseUrl"),
  secret("DIRECT_DATABASE_URL", "directDatabaseUrl"),
  ...serviceNames.flatMap(databaseVariables),
  plain("DATABASE_PREPARED_STATEMENTS", "advanced.database.preparedStatements", yesOrNo),
  secret("REDIS_URL", "redisUrl"),
  secret("SMTP_URL", "mail.smtpUrl"),
  plain("MAIL_FROM", "mail.from"),
  plain("TRUSTED_ORIGINS", "trustedOrigins", list),
  plain("TRUSTED_HOSTS", "trustedHosts", list),
  plain("TRUSTED_PROXIES", "trustedProxies", list),
  secret("SERVICE_TOKENS", "serviceTokens", serviceTokens),
  plain("RATE_LIMIT_STORAGE", "rateLimit.storage"),
  plain("LOG_LEVEL", "logger.level"),
];
