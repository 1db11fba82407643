import { createRedisKeys } from "@latchkey/service-kit";
import { createTestRedis, type TestRedis } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { inject } from "vitest";
import type { IdentityConfig } from "../config.ts";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { createEpochNotes } from "../epochs/epoch-notes.ts";
import { chooseSessionStore } from "./choose-session-store.ts";
import type { SessionStore } from "./session-store.ts";

/** What stores of sessions stand on; `close` gives it all back. */
export interface SessionGround {
  db: Kysely<Tables>;
  redis: TestRedis;
  close(): Promise<void>;
}

export const openSessionGround = async (): Promise<SessionGround> => {
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

/** What the keys of a store begin with, by the name of whatever is tested with it. */
export const keyPrefixOf = ({ redis }: Pick<SessionGround, "redis">, name: string): string =>
  `${redis.keyPrefix}${name.replaceAll(/\W/g, "-")}`;

export interface TestStore {
  name: string;
  config: IdentityConfig["session"];
  usesRedis: boolean;
  clock: () => number;
}

/** A store of sessions as the service would choose it. */
export const createTestStore = (
  ground: Pick<SessionGround, "db" | "redis">,
  { name, config, usesRedis, clock }: TestStore,
): SessionStore =>
  chooseSessionStore({
    config,
    db: ground.db,
    redis: usesRedis ? ground.redis.client : undefined,
    clock,
    epochNotes: createEpochNotes(),
    keyOf: createRedisKeys(keyPrefixOf(ground, name)),
  });
