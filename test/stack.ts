import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { LatchkeyConfig } from "@latchkey/contracts";
import {
  overlayEnvironment,
  readSecretFiles,
  readSettings,
  type Settings,
} from "@latchkey/service-kit";
import { createTestDatabase, type SmtpCatcher, startSmtpCatcher, until } from "@latchkey/testkit";
import { glob } from "node:fs/promises";
import { inject } from "vitest";
import { migrateAll } from "../scripts/run-all.ts";
import { reachDatabase } from "./reach-database.ts";
import { type RunningStack, runStack } from "./split/run-stack.ts";
import { anyPort } from "./any-port.ts";
import { cheapPasswords } from "./cheap-passwords.ts";

/** The store of sessions, limits and the bus. */
export type Stores = "postgres" | "redis";

export interface StackOptions {
  stores: Stores;
  config?: LatchkeyConfig;
  /** `real` hashes passwords as in production. Otherwise they cost nothing, unless the configuration sets them. */
  passwords?: "real";
  environment?: Record<string, string>;
  /** Pooler for the services' connections to any database. By default the one of the test run, if any. */
  poolerUrl?: string;
  /** Prepares the stores before any service starts. */
  prepare?: (settings: Settings) => Promise<void>;
}

/**
 * The whole system on a separate database, with a real SMTP server. It runs in this process, or as two replicas of each service
 * behind a proxy if `TEST_STACK` is `split`.
 */
export interface Stack {
  /** Base URL with the base path. */
  url: string;
  origin: string;
  settings: Settings;
  /** URL for a superuser, with which tests read rows. The services sign in with `roleUrl`. */
  databaseUrl: string;
  smtp: SmtpCatcher;
  running: RunningStack;
  stop(): Promise<void>;
}

/** The secret of every stack under test. */
export const testSecret = "a secret for tests, and for nothing else";

/** Changes with the migrations, so that a kept database server never uses an old template. */
const schemaHash = async (): Promise<string> => {
  const hash = createHash("sha256");
  for (const pattern of [
    "services/*/src/db/migrations.ts",
    "services/*/src/**/*-migration.ts",
    "libs/service-kit/src/database/kit-tables.ts",
    "libs/service-kit/src/{roles,bus}/*.ts",
    "node_modules/bullmq/package.json",
  ])
    for await (const file of glob(pattern)) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
};

/** Returns the settings of a stack with these options. */
export const settingsFor = (
  options: StackOptions,
  databaseUrl: string,
  smtpUrl: string,
): Settings => {
  const redis = options.stores === "redis" ? { redisUrl: inject("redisUrl") } : {};
  const { advanced, mail, emailAndPassword, ...config } = options.config ?? {};
  const passwords = options.passwords === "real" ? {} : { password: cheapPasswords };
  const pooler = options.poolerUrl ?? inject("poolerUrl");
  const reached: LatchkeyConfig = overlayEnvironment(
    {},
    readSecretFiles(reachDatabase(databaseUrl, pooler)),
  );
  return readSettings(
    {
      secret: [testSecret],
      ...reached,
      ...redis,
      ...config,
      emailAndPassword: { ...passwords, ...emailAndPassword },
      mail: { smtpUrl, from: "Latchkey <auth@example.com>", ...mail },
      advanced: {
        redisKeyPrefix: `test-${randomBytes(6).toString("hex")}`,
        ...reached.advanced,
        ...advanced,
        database: { ...reached.advanced?.database, ...advanced?.database },
      },
    },
    { ...anyPort, DRAIN_SECONDS: "0", ...options.environment },
  );
};

/** Whether options change the database schema. Templates are created without such options. */
const shapesDatabase = ({ options }: Settings) => {
  const { user, session, account, verification, organization, apiKey } = options;
  const schemas = [organization.schema, apiKey.schema].flatMap((own) => Object.values(own));
  const named = [user, session, account, verification, ...schemas];
  return (
    Object.values(user.additionalFields).some(({ unique }) => unique) ||
    named.some(({ modelName }) => modelName !== undefined)
  );
};

/** Creates a database with every schema, and the privileges of the services' roles. */
export const createStackDatabase = async () =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: {
      name: "stack",
      hash: await schemaHash(),
      build: async (url) => {
        await migrateAll(
          readSettings({ secret: [testSecret] }, { ...anyPort, ...reachDatabase(url) }),
        );
      },
    },
  });

/** Ready once its stores are reachable, so that the first request does not come too early. */
const isReady = async ({ services }: RunningStack): Promise<boolean> =>
  (await fetch(`${services["identity"]?.url}/health/ready`)).ok;

export const startStack = async (options: StackOptions): Promise<Stack> => {
  const database = await createStackDatabase();
  const smtp = await startSmtpCatcher({});
  const settings = settingsFor(options, database.url, smtp.url);
  if (shapesDatabase(settings)) await migrateAll(settings);
  await options.prepare?.(settings);
  const running = await runStack(settings, options.environment);
  await until(() => isReady(running));
  return {
    url: `${running.url}${settings.options.basePath}`,
    origin: running.url,
    settings,
    databaseUrl: database.url,
    smtp,
    running,
    stop: async () => {
      await running.stop();
      await smtp.stop();
      await database.drop();
    },
  };
};
