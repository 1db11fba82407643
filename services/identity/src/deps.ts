import { createSecretRing, randomToken, type SecretRing } from "@latchkey/crypto";
import {
  appendAudit,
  type AuditEntry,
  type Bus,
  createBus,
  createLogger,
  createMetrics,
  createRedis,
  createRedisKeys,
  type Logger,
  type Metrics,
  openDatabase,
  type Settings,
} from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import type { Kysely } from "kysely";
import { type IdentityConfig, readIdentityConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createPasswordHasher, type PasswordHasher } from "./passwords/password-hasher.ts";
import { chooseSessionStore } from "./sessions/choose-session-store.ts";
import type { SessionStore } from "./sessions/session-store.ts";

/** Everything that the features of this service work with; each names the few that it uses. */
export interface Deps {
  config: IdentityConfig;
  clock: () => number;
  newId: (model: "user" | "session" | "account") => string;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
  redis: Redis | undefined;
  sessions: SessionStore;
  passwords: PasswordHasher;
  bus: Bus;
  /** Tells the relay that a transaction with events has committed. */
  wakeRelay: () => void;
  logger: Logger;
  metrics: Metrics;
}

/** The schema that this service owns. */
export const schema = "identity";

const idLength = 32;

/** Builds the dependencies from checked settings; nothing else in this service builds any. */
export const createDeps = (settings: Settings): Deps => {
  const { options } = settings;
  const config = readIdentityConfig(settings);
  const logger = createLogger({ service: "identity", ...options.logger });
  const clock = Date.now;
  const ring = createSecretRing(options.secret);
  const db = openDatabase<Tables>(settings, { schema, logger });
  const redis = options.redisUrl ? createRedis(options.redisUrl, logger) : undefined;
  const recordAudit = (entry: AuditEntry) => appendAudit(db, { clock }, entry);
  return {
    config,
    clock,
    newId: (model) =>
      config.generateId?.({ model, size: idLength }) ?? randomToken(idLength, "alphanumeric"),
    // Not by the application's function: the bus takes no integers and no colons.
    newEventId: () => randomToken(idLength, "alphanumeric"),
    ring,
    db,
    redis,
    sessions: chooseSessionStore({
      config: config.session,
      db,
      redis,
      clock,
      recordAudit,
      keyOf: createRedisKeys(options.advanced.redisKeyPrefix),
    }),
    passwords: createPasswordHasher(config.emailAndPassword.password),
    bus: createBus(settings, logger),
    wakeRelay: () => {},
    logger,
    metrics: createMetrics("identity"),
  };
};
