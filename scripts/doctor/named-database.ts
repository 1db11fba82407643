import { type ServiceName, serviceVariables } from "@latchkey/contracts";
import { createLogger, createPostgresPool, type Settings } from "@latchkey/service-kit";
import type { Server } from "./explain-error.ts";

type Pool = ReturnType<typeof createPostgresPool>;

const queryMilliseconds = 4_000;
const logger = createLogger({ service: "doctor", level: "silent" });

/** An address of Postgres that a check is about. */
export interface NamedDatabase {
  url: string;
  /** The check's name. */
  check: string;
  /** The variable that it is configured by. */
  option: string;
}

export const withPool = async <T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> => {
  const applicationName = "latchkey-doctor";
  const pool = createPostgresPool({ url, max: 4, logger, applicationName, queryMilliseconds });
  try {
    return await work(pool);
  } finally {
    void pool.end().catch(() => {}); // a connection that hangs holds up nobody
  }
};

export const serverOf = ({ url, option }: NamedDatabase): Server => {
  const { host, pathname } = new URL(url);
  return { what: "Postgres", address: `${host}${pathname}`, option };
};

/** The address that a service has of its own; empty where it has none. */
export const ownDatabase = ({ options }: Settings, name: ServiceName): NamedDatabase => ({
  url: options.databases[name].url ?? "postgres://",
  check: `role of ${name}`,
  option: serviceVariables(name).databaseUrl,
});
