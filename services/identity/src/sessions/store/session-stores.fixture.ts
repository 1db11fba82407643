import { createRedisKeys } from "@latchkey/service-kit/database";
import { createTestRedis } from "@latchkey/testkit";
import { afterAll, inject } from "vitest";
import type { IdentityConfig } from "../../config.ts";
import { openIdentityDatabase } from "../../db/test-identity.fixture.ts";
import { createRevisionRecords } from "../../user-revisions/revision-records.ts";
import { chooseSessionStore } from "./choose-session-store.ts";
import type { SessionStore } from "./session-store.ts";

/** Opens a database and a Redis for a test file, which end after the tests. Call it while the file loads. */
export const openSessionStores = async () => {
  const { db } = await openIdentityDatabase();
  const redis = await createTestRedis(inject("redisUrl"));
  afterAll(() => redis.close());
  return { db, redis };
};
type SessionStores = Awaited<ReturnType<typeof openSessionStores>>;

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
  stores: SessionStores,
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
