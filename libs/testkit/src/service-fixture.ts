import { readSettings, type Settings } from "@latchkey/service-kit/config";
import {
  createDatabase,
  createPostgresPool,
  type KitTables,
  migrate,
  type SchemaMigrations,
} from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { afterAll } from "vitest";
import { createServiceDatabase } from "./service-database.ts";

export interface FixtureOptions<Config> {
  /** The name of the service and of its schema. */
  schema: string;
  /** The directory of its migrations. */
  folder: string;
  migrations: SchemaMigrations;
  readConfig: (settings: Settings) => Config;
}

/** The secret of test fixtures. */
export const testSecret = "a secret for tests, and for nothing else";

const connectionsMax = 10;

/** Creates the test databases of one service, and its options. */
export const serviceFixture = <Tables extends KitTables, Config>({
  schema,
  folder,
  migrations,
  readConfig,
}: FixtureOptions<Config>) => {
  const logger = createLogger({ service: schema, level: "silent" });

  const connect = (url: string, max = connectionsMax) => {
    // On a busy machine a test may wait long for one of its connections.
    const patience = { connectMilliseconds: 90_000, queryMilliseconds: 90_000 };
    const pool = createPostgresPool({ url, max, logger, applicationName: "test", ...patience });
    return createDatabase<Tables>({ pool, schema, preparedStatements: true });
  };

  /** Creates a database with the tables of the service. The caller drops it. */
  const create = () =>
    createServiceDatabase({
      name: schema,
      folder,
      migrate: async (url) => {
        const db = connect(url, 1);
        await migrate({ db, schema, migrations });
        await db.destroy();
      },
    });

  /**
   * Opens a database for a test file and drops it after the tests. Call it while the file loads, after `expectNoLeaks`. `connect`
   * opens a further pool on it, as a replica of the service has one.
   */
  const open = async (max = connectionsMax) => {
    const { url, drop } = await create();
    const pools: ReturnType<typeof connect>[] = [];
    const connectAgain = (poolMax = connectionsMax) => {
      const db = connect(url, poolMax);
      pools.push(db);
      return db;
    };
    const db = connectAgain(max);
    afterAll(async () => {
      await Promise.all(pools.map((pool) => pool.destroy()));
      await drop();
    });
    return { db, url, connect: connectAgain };
  };

  /** Returns the options of the service with defaults applied. */
  const configOf = (tree: object = {}): Config =>
    readConfig(
      readSettings({ secret: [testSecret], databaseUrl: "postgres://localhost/any", ...tree }, {}),
    );

  return { logger, connect, create, open, configOf };
};
