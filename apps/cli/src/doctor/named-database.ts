import { type ServiceName, serviceVariables } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import type { Server } from "./explain-error.ts";

type Pool = ReturnType<typeof createPostgresPool>;

const queryMilliseconds = 4_000;
const logger = createLogger({ service: "doctor", level: "silent" });

/** A Postgres address for a check. */
export interface NamedDatabase {
  url: string;
  /** The name of the check. */
  check: string;
  /** The variable that configures it. */
  option: string;
}

export const withPool = async <T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> => {
  const applicationName = "latchkey-doctor";
  const pool = createPostgresPool({ url, max: 4, logger, applicationName, queryMilliseconds });
  try {
    return await work(pool);
  } finally {
    void pool.end().catch(() => {}); // not awaited, because a connection may hang
  }
};

export const serverOf = ({ url, option }: NamedDatabase): Server => {
  const { host, pathname } = new URL(url);
  return { what: "Postgres", address: `${host}${pathname}`, option };
};

/** Returns a service's own database address, or a bare `postgres://` if it has none. */
export const ownDatabase = ({ options }: Settings, name: ServiceName): NamedDatabase => ({
  url: options.databases[name].url ?? "postgres://",
  check: `role of ${name}`,
  option: serviceVariables(name).databaseUrl,
});
