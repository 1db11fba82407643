import { type Options, type ServiceName, serviceNames } from "@latchkey/contracts";
import { schemasOf } from "../roles/schemas-of.ts";
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
  const known = busUsers.filter(
    (service) => !services || services.includes(service) || databases[service].url,
  );
  const places = known.flatMap((service) => {
    const { url, directUrl = url } = databaseAddresses(options, service);
    return directUrl ? [[service, placeOf(directUrl)] as const] : [];
  });
  // Migrations of all services use the shared address.
  return services || places.length === 0 || !directDatabaseUrl
    ? places
    : [...places, ["databaseUrl", placeOf(directDatabaseUrl)]];
};

/** Without Redis, messages between services use Postgres. Messages get lost if the services use different databases. */
export const checkOneBus = (
  options: Options,
  services: readonly ServiceName[] | undefined,
): string[] => {
  const byPlace = new Map<string, string[]>();
  for (const [who, place] of knownPlaces(options, services))
    byPlace.set(place, [...(byPlace.get(place) ?? []), who]);
  if (byPlace.size <= 1) return [];
  const found = [...byPlace].map(([place, who]) => `${place} for ${who.join(", ")}`).join("; ");
  return [
    `databases: must be one, with the same host, port and name, unless redisUrl (REDIS_URL) is set: ${found}`,
  ];
};
