import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import { readSettings } from "@latchkey/service-kit/config";
import { createDatabase, createPostgresPool, migrate } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestDatabase, type TestClock } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { inject } from "vitest";
import { readIdentityConfig } from "../config.ts";
import { migrations } from "../db/migrations.ts";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";
import { createTestDeps } from "../db/test-identity.fixture.ts";
import { createSigningKeys } from "./signing-keys.ts";

export const testSecret = "a secret for tests, and for nothing else";
const silent = createLogger({ service: "identity", level: "silent" });

export const connect = (url: string): Kysely<Tables> => {
  const pool = createPostgresPool({ url, max: 16, logger: silent, applicationName: "test" });
  return createDatabase<Tables>({ pool, schema, preparedStatements: true });
};

/** Creates a database with the tables of this service and no rows. */
export const createKeyDatabase = async () => {
  const sources = [
    "../db/migrations.ts",
    "../db/first-tables-migration.ts",
    "../db/whole-identity-migration.ts",
  ];
  const files = await Promise.all(
    sources.map((source) => readFile(new URL(source, import.meta.url))),
  );
  return createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: {
      name: "identity for keys",
      hash: createHash("sha256").update(Buffer.concat(files)).digest("hex"),
      build: async (url) => {
        const db = connect(url);
        await migrate({ db, schema, migrations });
        await db.destroy();
      },
    },
  });
};

export interface ReplicaOptions {
  db: Kysely<Tables>;
  clock: TestClock;
  jwt?: LatchkeyConfig["jwt"];
  secrets?: string[];
}

/** Creates the part of a service process that handles tokens. `logged` contains all its log lines. */
export const createReplica = ({ db, clock, jwt, secrets = [testSecret] }: ReplicaOptions) => {
  const settings = readSettings(
    { secret: secrets, databaseUrl: "postgres://localhost/any", ...(jwt ? { jwt } : {}) },
    {},
  );
  const config = readIdentityConfig(settings);
  const logged: string[] = [];
  const logger = createLogger({
    service: "identity",
    level: "warn",
    destination: { write: (line) => void logged.push(line) },
  });
  const ring = createSecretRing(secrets);
  const signingKeys = createSigningKeys({
    config: config.jwt,
    db,
    ring,
    clock: clock.now,
    newId: () => randomToken(32, "alphanumeric"),
    logger,
  });
  return { ...createTestDeps({ config, db, clock: clock.now }), ring, signingKeys, logged };
};
export type Replica = ReturnType<typeof createReplica>;
