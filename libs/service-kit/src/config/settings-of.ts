import type { ServiceName } from "@latchkey/contracts";
import { databaseAddresses } from "./database-addresses.ts";
import type { Given, Settings } from "./settings.ts";

/** Who said the address of the database, which is that of the service. */
const givenOf = ({ file, environment }: Given, service: ServiceName, url: string): Given =>
  environment.includes(`databases.${service}.url`)
    ? { file, environment: [...environment, "databaseUrl"] }
    : { file: { ...file, databaseUrl: url }, environment };

/** The settings as one service goes by them: `databaseUrl` and `directDatabaseUrl` are its own where it has some. */
export const settingsOf = (settings: Settings, service: ServiceName): Settings => {
  const { options, given } = settings;
  const own = options.databases[service].url;
  if (!own) return settings;
  const { url, directUrl } = databaseAddresses(options, service);
  return {
    ...settings,
    options: { ...options, databaseUrl: url, directDatabaseUrl: directUrl },
    given: givenOf(given, service, own),
  };
};
