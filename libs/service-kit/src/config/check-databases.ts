import { accessSync, constants } from "node:fs";
import {
  type Options,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { schemasOf } from "./schemas-of.ts";
import { databaseAddresses } from "./database-addresses.ts";

const defaultPort = "5432";

/** Returns the host, port and name of an address's database, without the user. */
const placeOf = (url: string): string => {
  const { hostname, port, pathname, searchParams, username } = new URL(url);
  const host = searchParams.get("host") || hostname || "localhost";
  const name = pathname.slice(1) || username;
  return `${host}:${searchParams.get("port") || port || defaultPort}/${name}`;
};

/** Returns the known database of each service. Services that run elsewhere count only if they have their own address. */
const knownPlaces = (
  options: Options,
  services: readonly ServiceName[] | undefined,
): (readonly [who: string, place: string])[] => {
  const { databaseUrl, directDatabaseUrl = databaseUrl, databases } = options;
  const busUsers = serviceNames.filter((service) =>
    schemasOf({ options }, service).includes("bus"),
  );
  const knownServices = busUsers.filter(
    (service) => !services || services.includes(service) || databases[service].url,
  );
  const places = knownServices.flatMap((service) => {
    const { url, directUrl = url } = databaseAddresses(options, service);
    return directUrl ? [[service, placeOf(directUrl)] as const] : [];
  });
  // Migrations of all services use the shared address.
  return services || places.length === 0 || !directDatabaseUrl
    ? places
    : [...places, ["databaseUrl", placeOf(directDatabaseUrl)]];
};

/** Without Redis, messages between services use Postgres. Messages get lost if the services use different databases. */
const checkOneBus = (options: Options, services: readonly ServiceName[] | undefined): string[] => {
  const byPlace = new Map<string, string[]>();
  for (const [who, place] of knownPlaces(options, services))
    byPlace.set(place, [...(byPlace.get(place) ?? []), who]);
  if (byPlace.size <= 1) return [];
  const placeList = [...byPlace].map(([place, who]) => `${place} for ${who.join(", ")}`).join("; ");
  return [
    `databases: must be one, with the same host, port and name, unless redisUrl (REDIS_URL) is set: ${placeList}`,
  ];
};

const required = "is required (DATABASE_URL); `npm start` runs an embedded database";

/** Returns the problems of a service's own addresses. */
const checkOwn = ({ databases }: Options, service: ServiceName): string[] => {
  const { url, directUrl } = databases[service];
  const variables = serviceVariables(service);
  if (directUrl === undefined) return [];
  if (url === undefined)
    return [
      `databases.${service}.url: is required together with directUrl (${variables.databaseUrl})`,
    ];
  return new URL(url).username === new URL(directUrl).username
    ? []
    : [`databases.${service}.directUrl: must have the same user (${variables.directDatabaseUrl})`];
};

/** Address parameters that are paths. The driver reads these files when it connects, and throws if it cannot. */
const fileParameters = ["sslrootcert", "sslcert", "sslkey"] as const;

const checkFiles = (option: string, url: string | undefined): string[] =>
  fileParameters.flatMap((parameter) => {
    const path = url && new URL(url).searchParams.get(parameter);
    if (!path) return [];
    try {
      accessSync(path, constants.R_OK);
      return [];
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      return [`${option}: ${parameter} ${path} cannot be read (${code})`];
    }
  });

const checkOwnFiles = ({ databases }: Options, service: ServiceName): string[] => [
  ...checkFiles(`databases.${service}.url`, databases[service].url),
  ...checkFiles(`databases.${service}.directUrl`, databases[service].directUrl),
];

/** Checks the files in the addresses that these services use, or in all addresses if no services are given. */
const checkAllFiles = (options: Options, services?: readonly ServiceName[]): string[] => {
  const { databaseUrl, directDatabaseUrl, databases } = options;
  const isUsed = (own: "url" | "directUrl") =>
    !services || services.some((service) => databases[service][own] === undefined);
  return [
    ...(isUsed("url") ? checkFiles("databaseUrl", databaseUrl) : []),
    ...(isUsed("directUrl") ? checkFiles("directDatabaseUrl", directDatabaseUrl) : []),
    ...(services ?? serviceNames).flatMap((service) => checkOwnFiles(options, service)),
  ];
};

/** The gateway uses a database only if rate limits are stored there. */
const hasRows = ({ rateLimit }: Options, service: ServiceName): boolean =>
  service !== "gateway" || rateLimit.storage === "database";

/**
 * Returns the problems of the database addresses. Every given service needs the shared address or its own. Addresses that only
 * other services use are left to their own processes.
 */
export const checkDatabases = (options: Options, services?: readonly ServiceName[]): string[] => {
  const { databaseUrl, directDatabaseUrl, databases } = options;
  const problems = [
    ...checkAllFiles(options, services),
    ...(services ?? serviceNames).flatMap((service) => checkOwn(options, service)),
    ...checkOneBus(options, services),
  ];
  if (databaseUrl ?? directDatabaseUrl) return problems;
  if (!services) return [...problems, `databaseUrl: ${required}`];
  const lacking = services.filter(
    (service) => hasRows(options, service) && databases[service].url === undefined,
  );
  return lacking.length === 0
    ? problems
    : [...problems, `databaseUrl: ${required}, or a separate one for ${lacking.join(", ")}`];
};
