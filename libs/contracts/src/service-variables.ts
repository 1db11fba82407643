import type { ServiceName } from "./service-name.ts";

/** Names of the environment variables of one service. */
export interface ServiceVariables {
  /** The port that it listens on. */
  port: string;
  /** The URL under which others reach it. */
  url: string;
  databaseUrl: string;
  directDatabaseUrl: string;
}

/** Returns the names of a service's environment variables. */
export const serviceVariables = (service: ServiceName): ServiceVariables => {
  const prefix = service.toUpperCase();
  return {
    // `PORT` for the gateway, because application hosts set that variable.
    port: service === "gateway" ? "PORT" : `${prefix}_PORT`,
    url: `${prefix}_URL`,
    databaseUrl: `${prefix}_DATABASE_URL`,
    directDatabaseUrl: `${prefix}_DIRECT_DATABASE_URL`,
  };
};
