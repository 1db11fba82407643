import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import type { Environment } from "./environment.ts";
import { optionVariables } from "./option-variables.ts";

/** Default port of each service. */
export const defaultPorts: Readonly<Record<ServiceName, number>> = {
  gateway: 3000,
  identity: 3001,
  organization: 3002,
  apikey: 3003,
  mailer: 3004,
  webhooks: 3006,
  oauth: 3008,
};

/** Default port of the gateway's health and metrics, which its public port does not serve. */
export const defaultGatewayInternalPort = 3005;

/** Seconds for which a process in production still answers after a stop signal. */
export const defaultDrainSeconds = 4;

/** A variable of the process that is not an option, such as a port or the address of another service. */
export interface ProcessVariable {
  name: string;
  /** The default as shown in the reference. */
  fallback: string;
  /** Description as Markdown. */
  meaning: string;
}

/** Returns an internal port relative to the public one, so that one variable moves a whole installation. */
export const followingPort = (usual: number, publicPort: number): number =>
  publicPort === 0 ? 0 : publicPort + usual - defaultPorts.gateway;

/** The highest public port that leaves room for the ports after it. */
export const publicPortMax =
  65_535 -
  (Math.max(defaultGatewayInternalPort, ...Object.values(defaultPorts)) - defaultPorts.gateway);

const describeFollowing = (usual: number): string =>
  `\`${usual}\`, or \`PORT\` + ${usual - defaultPorts.gateway}`;

const portOf = (service: ServiceName): ProcessVariable => ({
  name: serviceVariables(service).port,
  fallback:
    service === "gateway"
      ? `\`${defaultPorts[service]}\``
      : describeFollowing(defaultPorts[service]),
  meaning:
    service === "gateway"
      ? "Port of the gateway, the only public one. The internal ports follow it, unless their own variables set them; 0 selects free ports."
      : `Port of ${service}, for other services.`,
});

const urlOf = (service: ServiceName): ProcessVariable => ({
  name: serviceVariables(service).url,
  fallback: `\`http://127.0.0.1:${defaultPorts[service]}\``,
  meaning:
    service === "gateway"
      ? "Address at which `doctor` calls the gateway; its port is that of `PORT`."
      : `Address at which other services call ${service}; its port is that of \`${serviceVariables(service).port}\`. Separate several replicas with commas.`,
});

/** All variables that are not options. */
export const processVariables: readonly ProcessVariable[] = [
  {
    name: "NODE_ENV",
    fallback: "",
    meaning:
      "`production` requires your own secret, an SMTP server, a base URL or trusted hosts, and a database; limits are on.",
  },
  {
    name: "LATCHKEY_CONFIG",
    fallback: "`latchkey.config.ts` or `.json`",
    meaning: "Path of the file with the options.",
  },
  {
    name: "SECRETS_FOLDER",
    fallback: "",
    meaning:
      "Folder with a file for each secret: `database-url` is `DATABASE_URL`, `auth-secret` is `AUTH_SECRET`, and so on for every variable with a `_FILE` form. A variable or its `_FILE` form takes precedence.",
  },
  {
    name: "DATA_FOLDER",
    fallback: "`.data`",
    meaning:
      "Folder of what `npm start` and `npx latchkey` keep by themselves: the embedded Postgres without `DATABASE_URL`, and the generated secret without `AUTH_SECRET`.",
  },
  {
    name: "HOST",
    fallback: "`127.0.0.1`, in production `0.0.0.0`",
    meaning: "Address on which the gateway's public port listens.",
  },
  {
    name: "INTERNAL_HOST",
    fallback: "that of `HOST`",
    meaning: "Address on which everything else listens; `npm start` keeps to `127.0.0.1`.",
  },
  ...serviceNames.map(portOf),
  {
    name: "GATEWAY_INTERNAL_PORT",
    fallback: describeFollowing(defaultGatewayInternalPort),
    meaning: "Port of the gateway's health and metrics.",
  },
  ...serviceNames.map(urlOf),
  {
    name: "DRAIN_SECONDS",
    fallback: `\`0\`, in production \`${defaultDrainSeconds}\``,
    meaning:
      "Seconds for which a process still answers after a stop signal, so that its callers switch to another replica.",
  },
  {
    name: "TIME_LIMIT_FACTOR",
    fallback: "`1`",
    meaning:
      "Multiplies the time limits of calls to Postgres, Redis and other services, of 0.5 to 15 seconds. For a machine that is slow or has too much to do: requests there take longer instead of ending with 503. A request that waits for a connection for 30 seconds still ends. From 1 to 100.",
  },
];

const names = [
  ...optionVariables.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
  ...processVariables.map(({ name }) => name),
];
const knownNames = new Set(names);

/** Shorter names are too close to names of other programs, such as `PORTS`. */
const lengthMin = 6;
/** From this length on, two letters may be wrong. Below, a replaced letter makes another word, such as `API_URL`. */
const longLength = 10;

/** Counts the insertions, deletions, replacements and swaps of neighbours between two texts. */
const distanceOf = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
};

const isNear = (given: string, name: string): boolean => {
  if (name.length < lengthMin || Math.abs(given.length - name.length) > 2) return false;
  const distance = distanceOf(given.toUpperCase(), name);
  if (name.length >= longLength) return distance <= 2;
  return distance === 0 || (distance === 1 && given.length !== name.length);
};

/** Returns a line for each variable that has no effect and whose name is almost that of a variable which has one. */
export const findMisspelled = (environment: Environment): string[] =>
  Object.keys(environment).flatMap((given) => {
    if (knownNames.has(given) || !environment[given]) return [];
    const near = names.find((name) => isNear(given, name));
    return near === undefined || environment[near]
      ? []
      : [`${given}: is no variable of Latchkey and has no effect. Did you mean ${near}?`];
  });

/** Returns a problem if `NODE_ENV` is meant to be `production` and is not, which would switch its protection off. */
export const checkNodeEnvironment = ({ NODE_ENV: given = "" }: Environment): string[] =>
  given !== "production" && /^\s*prod/i.test(given)
    ? [`NODE_ENV: ${given.trim()} has no effect. Did you mean production?`]
    : [];
