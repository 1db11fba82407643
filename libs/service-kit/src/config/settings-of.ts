import type { ServiceName } from "@latchkey/contracts";
import { databaseAddresses } from "./database-addresses.ts";
import type { Given, Settings } from "./settings.ts";

/** Returns the sources of the options, with the effective address's source for `databaseUrl`. */
const givenOf = ({ file, environment }: Given, service: ServiceName, url: string): Given =>
  environment.includes(`databases.${service}.url`)
    ? { file, environment: [...environment, "databaseUrl"] }
    : { file: { ...file, databaseUrl: url }, environment };

/** Returns the settings of one service: `databaseUrl` and `directDatabaseUrl` are its own if configured. */
export const settingsOf = (settings: Settings, service: ServiceName): Settings => {
  const { options, given: sources } = settings;
  const own = options.databases[service].url;
  if (!own) return settings;
  const { url, directUrl } = databaseAddresses(options, service);
  return {
    ...settings,
    options: { ...options, databaseUrl: url, directDatabaseUrl: directUrl },
    given: givenOf(sources, service, own),
  };
};

const trimmed = (path: string) => path.replace(/\/+$/, "");

/** Returns the path prefix of operations: the base URL's path if it has one, else the configured path. */
export const basePathOf = (options: { baseURL?: string | undefined; basePath: string }): string => {
  const path = options.baseURL ? trimmed(new URL(options.baseURL).pathname) : "";
  return path || trimmed(options.basePath);
};
