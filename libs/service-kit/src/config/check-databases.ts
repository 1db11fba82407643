import { accessSync, constants } from "node:fs";
import {
  type Options,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { checkOneBus } from "./check-one-bus.ts";

const required = "is required (DATABASE_URL); `npm start` brings a database of its own";

/** What is wrong with a service's own addresses. */
const checkOwn = ({ databases }: Options, service: ServiceName): string[] => {
  const { url, directUrl } = databases[service];
  const variables = serviceVariables(service);
  if (directUrl === undefined) return [];
  if (url === undefined)
    return [`databases.${service}.url: is required beside directUrl (${variables.databaseUrl})`];
  return new URL(url).username === new URL(directUrl).username
    ? []
    : [`databases.${service}.directUrl: must be of the same user (${variables.directDatabaseUrl})`];
};

/** Parameters of an address that are paths; the driver reads them when it connects, and throws where it cannot. */
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

/** The files of the addresses that some services go by; of all that there are where none are named. */
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

/** The gateway has rows only where they count requests. */
const hasRows = ({ rateLimit }: Options, service: ServiceName): boolean =>
  service !== "gateway" || rateLimit.storage === "database";

/**
 * What is wrong with the addresses of databases, and whether there is one for what is to run: the shared one, or for each of these
 * services its own. What only others go by is theirs to check.
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
    : [...problems, `databaseUrl: ${required}, or one of its own for ${lacking.join(", ")}`];
};
