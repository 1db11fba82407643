import {
  type Options,
  optionsSchema,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { ConfigurationError } from "./configuration-error.ts";
import type { Environment } from "./environment.ts";
import { overlaidOptions, overlayEnvironment } from "./environment-overlay.ts";
import {
  defaultDrainSeconds,
  defaultGatewayInternalPort,
  defaultPorts,
} from "./process-variables.ts";
import { readSecretFiles, type SaidTexts } from "./read-secret-files.ts";
import { checkDatabases } from "./check-databases.ts";
import { readTracing, type TracingSettings } from "./tracing-settings.ts";

/** The secret of installations that set none; public, so it protects nothing and production refuses it. */
export const defaultSecret = "latchkey-default-secret-for-development";

const drainSecondsMax = 300;

/** Where a process listens and finds the others. */
export interface Network {
  /** Address on which the public door listens. */
  host: string;
  /** Address on which everything else listens. */
  internalHost: string;
  ports: Record<ServiceName, number>;
  /** Port of the gateway's health and metrics, which its public port does not show. */
  gatewayInternalPort: number;
  /** Addresses of each service's replicas, one at least. */
  urls: Record<ServiceName, readonly string[]>;
  /** How long a process that is told to stop still answers, while those who call it learn of that. */
  drainSeconds: number;
}

/** What was said of options, and where; everything else counts by its default. */
export interface Given {
  /** The tree of the configuration file. */
  file: object;
  /** Names of the options that variables of the environment say. */
  environment: readonly string[];
}

/** Everything that a service is configured with, checked. */
export interface Settings {
  options: Options & { secret: string[] };
  production: boolean;
  network: Network;
  /** Undefined while traces are off. */
  tracing: TracingSettings | undefined;
  given: Given;
}

/** Reads ports and URLs, noting what is wrong with them. */
const createNetworkReader = (environment: Environment, problems: string[]) => ({
  port: (variable: string, fallback: number): number => {
    const text = environment[variable];
    if (!text) return fallback;
    const port = Number(text);
    if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
    problems.push(`${variable}: must be a port number`);
    return fallback;
  },
  urls: (service: ServiceName, port: number): string[] => {
    const variable = serviceVariables(service).url;
    const texts = (environment[variable] || `http://127.0.0.1:${port}`)
      .split(",")
      .map((text) => text.trim());
    if (!texts.every((text) => URL.canParse(text) && /^https?:/.test(text)))
      problems.push(`${variable}: must be an http or https URL, or several with commas between`);
    return [...new Set(texts.map((text) => text.replace(/\/$/, "")))];
  },
  seconds: (variable: string, fallback: number): number => {
    const text = environment[variable];
    if (!text) return fallback;
    const seconds = Number(text);
    if (seconds >= 0 && seconds <= drainSecondsMax) return seconds;
    problems.push(`${variable}: must be a number of seconds, ${drainSecondsMax} at most`);
    return fallback;
  },
});

/** What each service has of something. */
const ofEach = <T>(read: (service: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((service) => [service, read(service)])) as Record<
    ServiceName,
    T
  >; // one of each

const readNetwork = (
  environment: Environment,
  production: boolean,
  problems: string[],
): Network => {
  const read = createNetworkReader(environment, problems);
  const host = environment["HOST"] || (production ? "0.0.0.0" : "127.0.0.1");
  const ports = ofEach((service) =>
    read.port(serviceVariables(service).port, defaultPorts[service]),
  );
  return {
    host,
    internalHost: environment["INTERNAL_HOST"] || host,
    ports,
    gatewayInternalPort: read.port("GATEWAY_INTERNAL_PORT", defaultGatewayInternalPort),
    urls: ofEach((service) => read.urls(service, ports[service])),
    drainSeconds: read.seconds("DRAIN_SECONDS", production ? defaultDrainSeconds : 0),
  };
};

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
  if (keyExpiration.minExpiresIn > keyExpiration.maxExpiresIn)
    problems.push("apiKey.keyExpiration.minExpiresIn: must not exceed maxExpiresIn");
  return problems;
};

const isSamePath = (one: string, other: string): boolean =>
  one.replace(/\/$/, "") === other.replace(/\/$/, "");

/** A service that calls is known by one name, so no token may have that of a service of the house. */
const checkServiceTokens = ({ serviceTokens }: Options): string[] =>
  serviceNames
    .filter((name) => Object.hasOwn(serviceTokens, name))
    .map((name) => `serviceTokens.${name}: is the name of a service of ours`);

/** Rules between options that no schema of one option can hold. */
const checkTogether = (options: Options, production: boolean): string[] => {
  const problems: string[] = [];
  const { emailAndPassword, advanced, captcha, rateLimit } = options;
  if (emailAndPassword.minPasswordLength > emailAndPassword.maxPasswordLength)
    problems.push("emailAndPassword.minPasswordLength: must not exceed maxPasswordLength");
  if (Boolean(emailAndPassword.password.hash) !== Boolean(emailAndPassword.password.verify))
    problems.push("emailAndPassword.password: hash and verify go together");
  const { crossSubDomainCookies } = advanced;
  if (crossSubDomainCookies.enabled && !crossSubDomainCookies.domain && !options.baseURL)
    problems.push(
      "advanced.crossSubDomainCookies: baseURL is required when crossSubdomainCookies are enabled",
    );
  const { cookies, defaultCookieAttributes, useSecureCookies } = advanced;
  const isSecure = useSecureCookies ?? options.baseURL?.startsWith("https://") ?? false;
  const attributes = [
    defaultCookieAttributes,
    ...Object.values(cookies).map((own) => own?.attributes),
  ];
  if (!isSecure && attributes.some((given) => given?.sameSite === "none"))
    problems.push("advanced.useSecureCookies: sameSite none needs secure cookies");
  problems.push(
    ...checkSocial(options),
    ...checkOrganization(options),
    ...checkApiKey(options),
    ...checkServiceTokens(options),
  );
  if (isSamePath(options.admin.path, options.openApi.path))
    problems.push("admin.path: must not be openApi.path");
  if (captcha.enabled && !captcha.secretKey) problems.push("captcha.secretKey: is required");
  if (rateLimit.storage === "secondary-storage" && !options.redisUrl)
    problems.push("rateLimit.storage: secondary-storage needs redisUrl (REDIS_URL)");
  return production ? [...problems, ...checkProduction(options)] : problems;
};

const checkProduction = (options: Options): string[] => {
  const problems: string[] = [];
  if (!options.secret || options.secret.includes(defaultSecret))
    problems.push(
      "secret: set a secret of your own (AUTH_SECRET), for example `openssl rand -base64 32`",
    );
  if (!options.mail.smtpUrl) problems.push("mail.smtpUrl: is required in production (SMTP_URL)");
  if (!options.baseURL && options.trustedHosts.length === 0)
    problems.push(
      "baseURL: Could not get base URL from request. Please provide a valid base URL. (BASE_URL, or TRUSTED_HOSTS)",
    );
  return problems;
};

/**
 * Checks the configuration whole: the tree of `latchkey.config.*`, overlaid by what the environment said. A process of some
 * `services` needs no database but theirs, nor the files of others; without them it is told of, the shared one is needed.
 * Throws a `ConfigurationError` with every problem at once.
 */
export const checkSettings = (
  tree: object,
  said: SaidTexts,
  services?: readonly ServiceName[],
): Settings => {
  const { texts } = said;
  const production = texts["NODE_ENV"] === "production";
  const problems = said.problems
    .filter(({ service }) => !service || !services || services.includes(service))
    .map(({ problem }) => problem);
  const network = readNetwork(texts, production, problems);
  const tracing = readTracing(texts, problems);
  const parsed = optionsSchema.safeParse(overlayEnvironment(tree, said));
  if (!parsed.success) {
    problems.push(
      ...parsed.error.issues.map(
        (issue) => `${issue.path.join(".") || "options"}: ${issue.message}`,
      ),
    );
    throw new ConfigurationError(problems);
  }
  problems.push(
    ...checkTogether(parsed.data, production),
    ...checkDatabases(parsed.data, services),
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
  const {
    secret = [defaultSecret],
    directDatabaseUrl,
    databaseUrl = directDatabaseUrl,
  } = parsed.data;
  const given = { file: tree, environment: overlaidOptions(said) };
  return { options: { ...parsed.data, secret, databaseUrl }, production, network, tracing, given };
};

/** The same, reading the files that the environment names. */
export const readSettings = (
  tree: object,
  environment: Environment,
  services?: readonly ServiceName[],
): Settings => checkSettings(tree, readSecretFiles(environment), services);
