import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { throughPooler } from "@latchkey/testkit";

/** Roles are the whole server's, so each service has the same one in every database under test. */
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
 * Variables by which a database is reached, through a pooler where there is one. Each service signs in as in production: by a role
 * that reads and writes its own schema and nothing else.
 */
export const reachDatabase = (databaseUrl: string, poolerUrl = ""): Record<string, string> =>
  poolerUrl
    ? {
        ...urlsOf(throughPooler(poolerUrl, databaseUrl), "databaseUrl"),
        ...urlsOf(databaseUrl, "directDatabaseUrl"),
        DATABASE_PREPARED_STATEMENTS: "false",
      }
    : urlsOf(databaseUrl, "databaseUrl");
