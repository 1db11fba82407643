import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecretRing } from "@latchkey/crypto";
import { readSettings, type Settings } from "@latchkey/service-kit/config";
import { exportInstallation } from "@latchkey/service-kit/transfer";
import { startRedisServer } from "@latchkey/testkit";
import { carriedSchemas } from "../../apps/cli/src/installation/services.ts";
import { anyPort } from "../harness/any-port.ts";
import { databaseEnvironment } from "../harness/database-environment.ts";
import { serviceConfig } from "../harness/operations.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../harness/stores.ts";
import { type CommandResult, runLatchkey } from "../harness/run-latchkey.ts";

/** Contains no comma, because commas separate several secrets in the environment. */
export const secret = "a secret of this installation and of no other";
export const ring = createSecretRing([secret]);

/** A possible installation with its own stores and configuration. Nothing runs at first. */
export interface Place {
  folder: string;
  databaseUrl: string;
  settings: Settings;
  /** Runs a command there, as an operator does. */
  run(args: readonly string[], environment?: Record<string, string>): Promise<CommandResult>;
  environment: Readonly<Record<string, string>>;
  /** Returns the lines of an export that is made in this process. */
  exportHere(as?: "service" | "owner"): Promise<string[]>;
  /** Starts all services after migrating. */
  start(): Promise<System>;
  close(): Promise<void>;
}

const config = { logger: { disabled: true }, serviceTokens: serviceConfig.serviceTokens };

/** Creates an empty or migrated database, and an empty Redis with "redis". Services and commands connect with their own roles. */
export const openPlace = async ({
  stores,
  smtpUrl,
  session = {},
  isMigrated = false,
}: {
  stores: "postgres" | "redis";
  smtpUrl: string;
  session?: object;
  isMigrated?: boolean;
}): Promise<Place> => {
  const database = await (isMigrated ? createMigratedDatabase() : createEmptyDatabase());
  const redis = stores === "redis" ? await startRedisServer() : undefined;
  const folder = await mkdtemp(join(tmpdir(), "latchkey-export-"));
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify({ ...config, session }));
  const environment = {
    ...databaseEnvironment(database.url),
    AUTH_SECRET: secret,
    LATCHKEY_CONFIG: file,
    SMTP_URL: smtpUrl,
    MAIL_FROM: "Latchkey <auth@example.com>",
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const settings = readSettings(
    { ...config, session },
    { ...environment, ...anyPort, DRAIN_SECONDS: "0" },
  );
  return {
    folder,
    databaseUrl: database.url,
    settings,
    environment,
    run: (args, own = {}) => runLatchkey(args, { folder, environment: { ...environment, ...own } }),
    exportHere: async (as = "service") => {
      const lines: string[] = [];
      await exportInstallation(
        { schemas: carriedSchemas(settings, as), ring, at: new Date() },
        async (line) => {
          lines.push(line);
        },
      );
      return lines;
    },
    start: () =>
      startSystem({
        stores: { databaseUrl: database.url, redisUrl: redis?.url },
        passwords: "real",
        config: {
          ...config,
          session,
          secret: [secret],
          mail: { smtpUrl: smtpUrl || undefined },
        },
      }),
    close: async () => {
      await redis?.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
