import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecretRing } from "@latchkey/crypto";
import { exportInstallation, readSettings, type Settings } from "@latchkey/service-kit";
import { createTestDatabase, startRedisServer, until } from "@latchkey/testkit";
import { inject } from "vitest";
import { carriedSchemas } from "../../scripts/run-all.ts";
import { anyPort } from "../any-port.ts";
import { adminConfig } from "../contract/admin-people.ts";
import { reachDatabase } from "../reach-database.ts";
import { type CommandResult, runLatchkey } from "../run-latchkey.ts";
import { type RunningStack, runStack } from "../split/run-stack.ts";
import type { Stack } from "../stack.ts";

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
  start(): Promise<Pick<Stack, "url" | "origin" | "databaseUrl" | "running"> & RunningHere>;
  close(): Promise<void>;
}

interface RunningHere {
  stop(): Promise<void>;
}

const config = { logger: { disabled: true }, serviceTokens: adminConfig.serviceTokens };

/** Creates an empty database, and an empty Redis with "redis". Services and commands connect with their own roles. */
export const openPlace = async ({
  stores,
  smtpUrl,
  session = {},
}: {
  stores: "postgres" | "redis";
  smtpUrl: string;
  session?: object;
}): Promise<Place> => {
  const template = { name: "empty", hash: "empty", build: async () => {} };
  const database = await createTestDatabase({ baseUrl: inject("databaseUrl"), template });
  const redis = stores === "redis" ? await startRedisServer() : undefined;
  const folder = await mkdtemp(join(tmpdir(), "latchkey-export-"));
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify({ ...config, session }));
  const environment = {
    ...reachDatabase(database.url),
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
    start: async () => {
      const running: RunningStack = await runStack(settings);
      await until(
        async () => (await fetch(`${running.services["identity"]?.url}/health/ready`)).ok,
      );
      const { basePath } = settings.options;
      return {
        url: `${running.url}${basePath}`,
        origin: running.url,
        databaseUrl: database.url,
        running,
        stop: () => running.stop(),
      };
    },
    close: async () => {
      await redis?.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
