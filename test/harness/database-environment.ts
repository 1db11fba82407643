import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { throughPooler } from "@latchkey/testkit";

/** Roles belong to the whole server, so each service has the same one in every database under test. */
export const roleUrl = (databaseUrl: string, service: ServiceName): string => {
  const url = new URL(databaseUrl);
  url.username = `latchkey_test_${service}`;
  url.password = "of a role under test";
  return url.href;
};

const urlsOf = (databaseUrl: string, which: "databaseUrl" | "directDatabaseUrl") => ({
  [which === "databaseUrl" ? "DATABASE_URL" : "DIRECT_DATABASE_URL"]: databaseUrl,
  ...Object.fromEntries(
    serviceNames.map((service) => [
      serviceVariables(service)[which],
      roleUrl(databaseUrl, service),
    ]),
  ),
});

/**
 * Environment variables for a database, through a pooler if there is one. As in production, each service signs in with a role
 * that can only read and write its own schema.
 */
export const databaseEnvironment = (databaseUrl: string, poolerUrl = ""): Record<string, string> =>
  poolerUrl
    ? {
        ...urlsOf(throughPooler(poolerUrl, databaseUrl), "databaseUrl"),
        ...urlsOf(databaseUrl, "directDatabaseUrl"),
        DATABASE_PREPARED_STATEMENTS: "false",
      }
    : urlsOf(databaseUrl, "databaseUrl");
