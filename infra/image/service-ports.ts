/** The health port of each service: its variable, and the default if neither that variable nor PORT is set. */
export const servicePorts: Readonly<
  Record<string, readonly [variable: string, port: number] | undefined>
> = {
  gateway: ["GATEWAY_INTERNAL_PORT", 3005],
  identity: ["IDENTITY_PORT", 3001],
  organization: ["ORGANIZATION_PORT", 3002],
  apikey: ["APIKEY_PORT", 3003],
  mailer: ["MAILER_PORT", 3004],
  webhooks: ["WEBHOOKS_PORT", 3006],
  oauth: ["OAUTH_PORT", 3008],
};

const publicPort = 3000;

/** Returns the health port of a service. Internal ports follow PORT, as in the settings. */
export const healthPort = (
  [variable, port]: readonly [variable: string, port: number],
  environment: Readonly<Record<string, string | undefined>>,
): number =>
  Number(environment[variable] || Number(environment["PORT"] || publicPort) + port - publicPort);

/**
 * Returns the service in a command line of /proc (arguments end with NUL): the last argument, if it is a service. Another program
 * such as an init may precede the entry point.
 */
export const findService = (
  commandLine: string,
  services: readonly string[],
): string | undefined => {
  const words = commandLine.split("\0").filter((word) => word !== "");
  return services.includes(words.at(-1) ?? "") ? words.at(-1) : undefined;
};
