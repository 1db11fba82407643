import { type Options, type ServiceName, serviceNames } from "@latchkey/contracts";
import { schemasOf } from "../roles/schemas-of.ts";
import { databaseAddresses } from "./database-addresses.ts";

const defaultPort = "5432";

/** The database that an address leads to, without who signs in. */
const placeOf = (url: string): string => {
  const { hostname, port, pathname, searchParams, username } = new URL(url);
  const host = searchParams.get("host") || hostname || "localhost";
  const name = pathname.slice(1) || username;
  return `${host}:${searchParams.get("port") || port || defaultPort}/${name}`;
};

/** Whose address leads where. Of a service that does not run here no more is known than an address of its own. */
const knownPlaces = (
  options: Options,
  services: readonly ServiceName[] | undefined,
): (readonly [who: string, place: string])[] => {
  const { databaseUrl, directDatabaseUrl = databaseUrl, databases } = options;
  const talking = serviceNames.filter((service) => schemasOf({ options }, service).includes("bus"));
  const known = talking.filter(
    (service) => !services || services.includes(service) || databases[service].url,
  );
  const places = known.flatMap((service) => {
    const { url, directUrl = url } = databaseAddresses(options, service);
    return directUrl ? [[service, placeOf(directUrl)] as const] : [];
  });
  // The whole house is migrated by the shared one.
  return services || places.length === 0 || !directDatabaseUrl
    ? places
    : [...places, ["databaseUrl", placeOf(directDatabaseUrl)]];
};

/** Without Redis, messages between services go by Postgres; they get lost where services look for them in several databases. */
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
    `databases: must be one, by the same host, port and name, where there is no redisUrl (REDIS_URL): ${found}`,
  ];
};
