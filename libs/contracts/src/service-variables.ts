import type { ServiceName } from "./service-name.ts";

/** Names of the variables that are about one service. */
export interface ServiceVariables {
  /** Says where it listens. */
  port: string;
  /** Says where others find it. */
  url: string;
  databaseUrl: string;
  directDatabaseUrl: string;
}

/** How the variables of the environment that are about a service are called. */
export const serviceVariables = (service: ServiceName): ServiceVariables => {
  const prefix = service.toUpperCase();
  return {
    // The gateway's is the one that hosts of applications set.
    port: service === "gateway" ? "PORT" : `${prefix}_PORT`,
    url: `${prefix}_URL`,
    databaseUrl: `${prefix}_DATABASE_URL`,
    directDatabaseUrl: `${prefix}_DIRECT_DATABASE_URL`,
  };
};
