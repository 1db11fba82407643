import type { ServiceName } from "@latchkey/contracts";
import type { Given, Settings } from "./settings.ts";

/** An address with the user and password of another; everything else of it stays. */
const signedInAs = (url: string, who: string): string => {
  const [address, { username, password }] = [new URL(url), new URL(who)];
  address.username = username;
  address.password = password;
  return address.href;
};

/** Who said the address of the database, which is that of the service. */
const givenOf = ({ file, environment }: Given, service: ServiceName, url: string): Given =>
  environment.includes(`databases.${service}.url`)
    ? { file, environment: [...environment, "databaseUrl"] }
    : { file: { ...file, databaseUrl: url }, environment };

/**
 * The settings as one service goes by them: `databaseUrl` and `directDatabaseUrl` are its own where it has some. What is not past
 * the pooler by its own role is never tried by another one's.
 */
export const settingsOf = (settings: Settings, service: ServiceName): Settings => {
  const { options, given } = settings;
  const { url, directUrl } = options.databases[service];
  if (!url) return settings;
  const shared = options.directDatabaseUrl && signedInAs(options.directDatabaseUrl, url);
  return {
    ...settings,
    options: { ...options, databaseUrl: url, directDatabaseUrl: directUrl ?? shared },
    given: givenOf(given, service, url),
  };
};
