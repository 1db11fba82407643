import type { Options, ServiceName } from "@latchkey/contracts";

/** Where a database is, and where it is without a pooler between. */
export interface DatabaseAddresses {
  url: string | undefined;
  /** Undefined where it is the same. */
  directUrl: string | undefined;
}

/** An address with the user and password of another; everything else of it stays. */
const signedInAs = (url: string, who: string): string => {
  const [address, { username, password }] = [new URL(url), new URL(who)];
  address.username = username;
  address.password = password;
  return address.href;
};

/**
 * The addresses that a service goes by: its own where it has some, else the shared ones. What is not past the pooler by its own
 * role is never tried by another one's.
 */
export const databaseAddresses = (options: Options, service: ServiceName): DatabaseAddresses => {
  const { databaseUrl, directDatabaseUrl, databases } = options;
  const { url, directUrl } = databases[service];
  if (!url) return { url: databaseUrl, directUrl: directDatabaseUrl };
  const shared = directDatabaseUrl && signedInAs(directDatabaseUrl, url);
  return { url, directUrl: directUrl ?? shared };
};
