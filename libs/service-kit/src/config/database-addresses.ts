import type { Options, ServiceName } from "@latchkey/contracts";

/** The address of a database, and its address without a pooler. */
export interface DatabaseAddresses {
  url: string | undefined;
  /** Undefined if it is the same as `url`. */
  directUrl: string | undefined;
}

/** Returns an address with the user and password of another address. */
const signedInAs = (url: string, who: string): string => {
  const [address, { username, password }] = [new URL(url), new URL(who)];
  address.username = username;
  address.password = password;
  return address.href;
};

/**
 * Returns the addresses of a service: its own if configured, else the shared ones. If it has no direct address of its own, the
 * shared direct address gets its user and password, so that the owner's role is never used.
 */
export const databaseAddresses = (options: Options, service: ServiceName): DatabaseAddresses => {
  const { databaseUrl, directDatabaseUrl, databases } = options;
  const { url, directUrl } = databases[service];
  if (!url) return { url: databaseUrl, directUrl: directDatabaseUrl };
  const shared = directDatabaseUrl && signedInAs(directDatabaseUrl, url);
  return { url, directUrl: directUrl ?? shared };
};
