import type { AuditEntry } from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { createDoubleSessionStore } from "./double-session-store.ts";
import { createPostgresSessionStore } from "./postgres-session-store.ts";
import { createRedisGeneration } from "./redis-generation.ts";
import { createRedisSessionStore } from "./redis-session-store.ts";
import type { SessionStore } from "./session-store.ts";

export interface SessionStoreChoice {
  config: IdentityConfig["session"];
  db: Kysely<Tables>;
  redis: Redis | undefined;
  clock: () => number;
  recordAudit: (entry: AuditEntry) => Promise<void>;
  /** Makes keys in Redis. */
  keyOf: (kind: string, tag: string) => string;
}

/** Postgres without Redis; Redis with it; both where the options say so. */
export const chooseSessionStore = (choice: SessionStoreChoice): SessionStore => {
  const { config, db, redis, clock, keyOf } = choice;
  const rows = () =>
    createPostgresSessionStore({ db, clock, keepRevoked: config.preserveSessionInDatabase });
  if (!redis) return rows();
  const inRedis = { redis, clock, keyOf };
  if (!config.storeSessionInDatabase)
    return createRedisSessionStore({ ...inRedis, recordAudit: choice.recordAudit });
  // The rows keep the audit of a session that lives in both.
  const generation = createRedisGeneration(redis);
  const cache = createRedisSessionStore({
    ...inRedis,
    keyOf: (kind, tag) => keyOf(`${kind}:${generation()}`, tag),
    recordAudit: async () => {},
  });
  return createDoubleSessionStore(cache, rows());
};
