import {
  namedDaysMax,
  type Options,
  optionsSchema,
  type ServiceName,
  serviceNames,
} from "@latchkey/contracts";
import { ConfigurationError } from "./configuration-error.ts";
import type { Environment } from "./environment.ts";
import { overlaidOptions, overlayEnvironment } from "./environment-overlay.ts";
import { type Network, readNetwork } from "./network.ts";
import { checkNodeEnvironment } from "./process-variables.ts";
import { optionVariables } from "./option-variables.ts";
import { type EnvironmentTexts, readSecretFiles } from "./read-secret-files.ts";
import { type BrandingFiles, checkBranding, readBrandingFiles } from "./branding-files.ts";
import { checkCookies } from "./check-cookies.ts";
import { checkDatabases } from "./check-databases.ts";
import { checkPasskey } from "./passkey-settings.ts";
import { readTracing, type TracingSettings } from "./tracing-settings.ts";

/** Default secret of installations without one. It is public, so it protects nothing and production rejects it. */
export const defaultSecret = "latchkey-default-secret-for-development";

/** The options that were set, by source. All others have their defaults. */
export interface Given {
  /** The tree of the configuration file. */
  file: object;
  /** Names of the options that environment variables set. */
  environment: readonly string[];
}

/** The validated configuration of a service. */
export interface Settings {
  options: Options & { secret: string[] };
  production: boolean;
  network: Network;
  /** The files of all looks. Empty in a process without the gateway. */
  brandingFiles: BrandingFiles;
  /** Undefined if tracing is off. */
  tracing: TracingSettings | undefined;
  given: Given;
}

const checkSocial = ({ account, socialProviders }: Options): string[] => {
  const problems: string[] = [];
  if (account.storeStateStrategy === "cookie" && account.skipStateCookieCheck)
    problems.push("account.skipStateCookieCheck: storeStateStrategy cookie needs the cookie");
  for (const [id, provider] of Object.entries(socialProviders)) {
    if (!provider?.enabled) continue;
    const clientKey = "clientKey" in provider ? provider.clientKey : undefined;
    if (provider.clientId === undefined && clientKey === undefined)
      problems.push(`socialProviders.${id}.clientId: is required`);
  }
  return problems;
};

const checkOrganization = ({ organization }: Options): string[] => {
  const problems: string[] = [];
  if (!Object.hasOwn(organization.roles, organization.creatorRole))
    problems.push("organization.creatorRole: must be one of organization.roles");
  if (!organization.acceptInvitationURL.includes("{id}"))
    problems.push("organization.acceptInvitationURL: must hold {id}");
  return problems;
};

const checkApiKey = ({ apiKey }: Options): string[] => {
  const problems: string[] = [];
  const { keyExpiration } = apiKey;
  if (apiKey.minimumPrefixLength > apiKey.maximumPrefixLength)
    problems.push("apiKey.minimumPrefixLength: must not exceed maximumPrefixLength");
  if (apiKey.minimumNameLength > apiKey.maximumNameLength)
    problems.push("apiKey.minimumNameLength: must not exceed maximumNameLength");
  if (keyExpiration.minExpiresIn > (keyExpiration.maxExpiresIn ?? namedDaysMax))
    problems.push("apiKey.keyExpiration.minExpiresIn: must not exceed maxExpiresIn");
  return problems;
};

/** Only the mailer uses the receiver. */
const checkPhoneNumber = (
  { phoneNumber }: Options,
  { production, sends }: { production: boolean; sends: boolean },
): string[] => {
  const { enabled, allowedCountries, sendURL, sendSecret } = phoneNumber;
  if (!enabled) return [];
  const problems: string[] = [];
  if (allowedCountries.length === 0)
    problems.push("phoneNumber.allowedCountries: name the countries of your users, such as DE");
  if (!sends) return problems;
  if (production && !sendURL)
    problems.push("phoneNumber.sendURL: is required in production (PHONE_NUMBER_SEND_URL)");
  if (sendURL && !sendSecret)
    problems.push("phoneNumber.sendSecret: is required with sendURL (PHONE_NUMBER_SEND_SECRET)");
  return problems;
};

/** Only identity uses the secret. */
const checkOAuthProxy = ({ oauthProxy }: Options, { signsIn }: { signsIn: boolean }): string[] => {
  const { enabled, productionURL, previewOrigins, secret } = oauthProxy;
  if (!enabled) return [];
  const problems: string[] = [];
  if ((productionURL === undefined) === (previewOrigins.length === 0))
    problems.push("oauthProxy: set productionURL in a preview, or else previewOrigins");
  if (signsIn && !secret) problems.push("oauthProxy.secret: is required (OAUTH_PROXY_SECRET)");
  return problems;
};

const isSamePath = (one: string, other: string): boolean =>
  one.replace(/\/$/, "") === other.replace(/\/$/, "");

/** A calling service is identified by one name, so no token may have the name of a built-in service. */
const checkServiceTokens = ({ serviceTokens }: Options): string[] =>
  serviceNames
    .filter((name) => Object.hasOwn(serviceTokens, name))
    .map((name) => `serviceTokens.${name}: is the name of a built-in service`);

/** Returns whether a service is among the given ones, or true if none are given. */
const runs = (service: ServiceName, services: readonly ServiceName[] | undefined): boolean =>
  services?.includes(service) ?? true;

/** Checks rules between options. Only the services that use a secret require it. */
const checkTogether = (
  options: Options,
  production: boolean,
  services: readonly ServiceName[] | undefined,
): string[] => {
  const problems: string[] = [];
  const { emailAndPassword, captcha, rateLimit } = options;
  if (emailAndPassword.minPasswordLength > emailAndPassword.maxPasswordLength)
    problems.push("emailAndPassword.minPasswordLength: must not exceed maxPasswordLength");
  if (emailAndPassword.password.hash && !emailAndPassword.password.verify)
    problems.push("emailAndPassword.password: hash needs verify, which checks its hashes");
  problems.push(
    ...checkCookies(options),
    ...checkSocial(options),
    ...checkOrganization(options),
    ...checkApiKey(options),
    ...checkPasskey(options, production),
    ...checkPhoneNumber(options, { production, sends: runs("mailer", services) }),
    ...checkOAuthProxy(options, { signsIn: runs("identity", services) }),
    ...checkServiceTokens(options),
    ...checkBranding(options, production),
  );
  if (isSamePath(options.admin.path, options.openApi.path))
    problems.push("admin.path: must not be openApi.path");
  if (captcha.enabled && !captcha.secretKey && runs("gateway", services))
    problems.push("captcha.secretKey: is required (CAPTCHA_SECRET_KEY)");
  if (rateLimit.storage === "secondary-storage" && !options.redisUrl)
    problems.push("rateLimit.storage: secondary-storage needs redisUrl (REDIS_URL)");
  return production ? [...problems, ...checkProduction(options, services)] : problems;
};

const checkProduction = (
  options: Options,
  services: readonly ServiceName[] | undefined,
): string[] => {
  const problems: string[] = [];
  if (!options.secret || options.secret.includes(defaultSecret))
    problems.push(
      "secret: set your own secret (AUTH_SECRET), for example `openssl rand -base64 32`",
    );
  if ([options.appURL].flat().some((url) => !url.startsWith("https:")))
    problems.push("appURL: must be https in production (APP_URL)");
  if (!options.mail.smtpUrl && runs("mailer", services))
    problems.push("mail.smtpUrl: is required in production (SMTP_URL)");
  if (!options.baseURL && options.trustedHosts.length === 0)
    problems.push(
      "baseURL: Could not get base URL from request. Please provide a valid base URL. (BASE_URL, or TRUSTED_HOSTS)",
    );
  return problems;
};

/** Returns the name under which a value was given: that of its variable, else that of the option. */
const nameOf = (path: readonly string[], { texts }: EnvironmentTexts): string => {
  const option = path.join(".");
  const variable = optionVariables.find(
    (each) =>
      texts[each.name] &&
      (each.adds ? option === each.option : `${option}.`.startsWith(`${each.option}.`)),
  );
  return variable?.name ?? (option || "options");
};

/**
 * Validates the whole configuration: the tree of `latchkey.config.*` with the environment merged into it. With `services`, only
 * their databases and files are required. Otherwise the shared database is required. Throws a `ConfigurationError` with all
 * problems at once.
 */
export const checkSettings = (
  tree: object,
  environmentTexts: EnvironmentTexts,
  services?: readonly ServiceName[],
): Settings => {
  const { texts } = environmentTexts;
  const production = texts["NODE_ENV"] === "production";
  const problems = environmentTexts.problems
    .filter(({ service }) => !service || !services || services.includes(service))
    .map(({ problem }) => problem);
  problems.push(...checkNodeEnvironment(texts));
  const network = readNetwork(texts, production, problems);
  const tracing = readTracing(texts, problems);
  const parsed = optionsSchema.safeParse(overlayEnvironment(tree, environmentTexts));
  if (!parsed.success) {
    problems.push(
      ...parsed.error.issues.map(
        ({ path, message }) => `${nameOf(path.map(String), environmentTexts)}: ${message}`,
      ),
    );
    throw new ConfigurationError([...new Set(problems)]);
  }
  problems.push(
    ...checkTogether(parsed.data, production, services),
    ...checkDatabases(parsed.data, services),
  );
  const brandingFiles: BrandingFiles = runs("gateway", services)
    ? readBrandingFiles(parsed.data.branding, texts, problems)
    : new Map();
  if (problems.length > 0) throw new ConfigurationError([...new Set(problems)]);
  const {
    secret = [defaultSecret],
    directDatabaseUrl,
    databaseUrl = directDatabaseUrl,
  } = parsed.data;
  const sources = { file: tree, environment: overlaidOptions(environmentTexts) };
  return {
    options: { ...parsed.data, secret, databaseUrl },
    production,
    network,
    brandingFiles,
    tracing,
    given: sources,
  };
};

/** Like `checkSettings`, but reads the files that the environment names. */
export const readSettings = (
  tree: object,
  environment: Environment,
  services?: readonly ServiceName[],
): Settings => checkSettings(tree, readSecretFiles(environment), services);
