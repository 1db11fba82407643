import { createRedisKeys } from "@latchkey/service-kit";
import { createTestRedis, type TestRedis } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { inject } from "vitest";
import type { IdentityConfig } from "../../config.ts";
import { connectIdentity, createIdentityDatabase } from "../../db/test-identity.fixture.ts";
import type { Tables } from "../../db/tables.ts";
import { createRevisionRecords } from "../../user-revisions/revision-records.ts";
import { chooseSessionStore } from "./choose-session-store.ts";
import type { SessionStore } from "./session-store.ts";

/** The connections of session stores. `close` releases all of them. */
export interface SessionStores {
  db: Kysely<Tables>;
  redis: TestRedis;
  close(): Promise<void>;
}

export const openSessionStores = async (): Promise<SessionStores> => {
  const [database, redis] = await Promise.all([
    createIdentityDatabase(),
    createTestRedis(inject("redisUrl")),
  ]);
  const db = connectIdentity(database.url);
  return {
    db,
    redis,
    close: async () => {
      await db.destroy();
      await redis.close();
      await database.drop();
    },
  };
};

/** The key prefix of a store, by the name of the test variant. */
export const keyPrefixOf = ({ redis }: Pick<SessionStores, "redis">, name: string): string =>
  `${redis.keyPrefix}${name.replaceAll(/\W/g, "-")}`;

export interface TestStore {
  name: string;
  config: IdentityConfig["session"];
  usesRedis: boolean;
  clock: () => number;
}

/** Creates the session store that the service would choose. */
export const createTestStore = (
  stores: Pick<SessionStores, "db" | "redis">,
  { name, config, usesRedis, clock }: TestStore,
): SessionStore =>
  chooseSessionStore({
    config,
    db: stores.db,
    redis: usesRedis ? stores.redis.client : undefined,
    clock,
    revisionRecords: createRevisionRecords(),
    keyOf: createRedisKeys(keyPrefixOf(stores, name)),
  });
