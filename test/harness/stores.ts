import { createHash, randomBytes } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { readSettings } from "@latchkey/service-kit/config";
import {
  createTestDatabase,
  type RedisServer,
  type SmtpCatcher,
  startRedisServer,
  startSmtpCatcher,
  type TestDatabase,
} from "@latchkey/testkit";
import { inject } from "vitest";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { anyPort } from "./any-port.ts";
import { databaseEnvironment } from "./database-environment.ts";

/** The secret of every system under test. */
export const testSecret = "a secret for tests, and for nothing else";

/** The store of sessions, limits and the bus. "own redis" is a server of one system only, so that it can be killed. */
export type StoreKind = "postgres" | "redis" | "own redis";

/** Stores that outlive a system: another one may start on them. */
export interface ExistingStores {
  databaseUrl: string;
  redisUrl?: string | undefined;
  redisKeyPrefix?: string | undefined;
}

/** The stores of one system, with an SMTP server that keeps its mails. */
export interface Stores extends ExistingStores {
  /** With "own redis" only. */
  redis: RedisServer | undefined;
  smtp: SmtpCatcher;
  /** Removes the stores, except existing ones. */
  close(): Promise<void>;
}

/** Changes with the migrations, so that a kept database server never uses an old template. */
const hashSchema = async (): Promise<string> => {
  const hash = createHash("sha256");
  for (const pattern of [
    "services/*/src/db/migrations.ts",
    "services/*/src/**/*-migration.ts",
    "libs/service-kit/src/database/{kit-tables,*-migration}.ts",
    "libs/service-kit/src/{roles,bus}/*.ts",
    "node_modules/bullmq/package.json",
  ])
    for await (const file of glob(pattern)) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
};

let schemaHash: Promise<string> | undefined;

/** Creates a database with every schema, and the privileges of the services' roles. */
export const createMigratedDatabase = async (): Promise<TestDatabase> =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: {
      name: "migrated",
      hash: await (schemaHash ??= hashSchema()),
      build: async (url) => {
        await migrateAll(
          readSettings({ secret: [testSecret] }, { ...anyPort, ...databaseEnvironment(url) }),
        );
      },
    },
  });

/** Creates a database without any schema. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "empty", build: async () => {} },
  });

export const openStores = async (stores: StoreKind | ExistingStores): Promise<Stores> => {
  if (typeof stores === "object") {
    const smtp = await startSmtpCatcher();
    return { ...stores, redis: undefined, smtp, close: () => smtp.stop() };
  }
  const [database, smtp, redis] = await Promise.all([
    createMigratedDatabase(),
    startSmtpCatcher(),
    stores === "own redis" ? startRedisServer() : undefined,
  ]);
  return {
    databaseUrl: database.url,
    redisKeyPrefix: `test-${randomBytes(6).toString("hex")}`,
    redisUrl: stores === "redis" ? inject("redisUrl") : redis?.url,
    redis,
    smtp,
    close: async () => {
      await Promise.all([redis?.stop(), smtp.stop(), database.drop()]);
    },
  };
};
