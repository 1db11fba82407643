export type Environment = Readonly<Record<string, string | undefined>>;

const list = (text: string): string[] => text.split(",").map((item) => item.trim());

const serviceTokens = (text: string): Record<string, string> =>
  Object.fromEntries(
    list(text).map((pair, index) => {
      const colon = pair.indexOf(":");
      // A token without a name must not be told as if it were one.
      if (colon < 0) return [`entry ${index + 1} is no name:token`, ""];
      return [pair.slice(0, colon), pair.slice(colon + 1)];
    }),
  );

/** Anything else is left to be refused. */
const yesOrNo = (text: string): unknown =>
  ["true", "false"].includes(text) ? text === "true" : text;

/** Which variable overlays which option, and how its text is read. */
const overlays: readonly [variable: string, path: string, read: (text: string) => unknown][] = [
  ["BASE_URL", "baseURL", (text) => text],
  ["AUTH_SECRET", "secret", list],
  ["DATABASE_URL", "databaseUrl", (text) => text],
  ["DIRECT_DATABASE_URL", "directDatabaseUrl", (text) => text],
  ["DATABASE_PREPARED_STATEMENTS", "advanced.database.preparedStatements", yesOrNo],
  ["REDIS_URL", "redisUrl", (text) => text],
  ["SMTP_URL", "mail.smtpUrl", (text) => text],
  ["MAIL_FROM", "mail.from", (text) => text],
  ["TRUSTED_ORIGINS", "trustedOrigins", list],
  ["TRUSTED_HOSTS", "trustedHosts", list],
  ["TRUSTED_PROXIES", "trustedProxies", list],
  ["SERVICE_TOKENS", "serviceTokens", serviceTokens],
  ["LOG_LEVEL", "logger.level", (text) => text],
];

const withPath = (tree: object, path: readonly string[], value: unknown): object => {
  const [name = "", ...rest] = path;
  const below = (tree as Record<string, unknown>)[name];
  const child = typeof below === "object" && below !== null ? below : {};
  return { ...tree, [name]: rest.length === 0 ? value : withPath(child, rest, value) };
};

/** The names of the options that the environment says. */
export const overlaidOptions = (environment: Environment): string[] =>
  overlays.filter(([variable]) => environment[variable]).map(([, path]) => path);

/** The tree with what the environment says laid over it; an empty variable counts as absent. */
export const overlayEnvironment = (tree: object, environment: Environment): object =>
  overlays.reduce((overlaid, [variable, path, read]) => {
    const text = environment[variable];
    return text ? withPath(overlaid, path.split("."), read(text)) : overlaid;
  }, tree);
