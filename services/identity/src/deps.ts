import type { FullUser } from "@latchkey/contracts";
import { createSecretRing, randomToken, type SecretRing } from "@latchkey/crypto";
import {
  type Bus,
  createBus,
  createLogger,
  createMetrics,
  createOutbound,
  createRedis,
  createRedisKeys,
  type Logger,
  type Metrics,
  openDatabase,
  type Outbound,
  type RedisClient,
  type Settings,
  type Tracing,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { type IdentityConfig, readIdentityConfig } from "./config.ts";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { createEpochNotes, type EpochNotes } from "./epochs/epoch-notes.ts";
import { createEpochSignal, type EpochSignal } from "./epochs/epoch-signal.ts";
import { createFieldSet, type FieldSet } from "./fields/field-set.ts";
import { createNewId, type NewId } from "./ids/new-id.ts";
import { createPasswordHasher, type PasswordHasher } from "./passwords/password-hasher.ts";
import { createProviders, type Providers } from "./providers/create-providers.ts";
import { chooseSessionStore } from "./sessions/choose-session-store.ts";
import { createRedisGeneration, type RedisGeneration } from "./sessions/redis-generation.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { createShowSession, type ShowSession } from "./sessions/show-session.ts";
import { type ActivityTally, createActivityTally } from "./statistics/activity-tally.ts";
import { observeActivity } from "./statistics/observe-activity.ts";
import { createSigningKeys, type SigningKeys } from "./tokens/signing-keys.ts";
import { createShowUser } from "./users/show-user.ts";
import type { UserRow } from "./users/user-row.ts";

/** Everything that the features of this service work with; each names the few that it uses. */
export interface Deps {
  config: IdentityConfig;
  clock: () => number;
  newId: NewId;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
  redis: RedisClient | undefined;
  /** Where sessions are in Redis and in rows. */
  redisGeneration: RedisGeneration | undefined;
  sessions: SessionStore;
  fields: { user: FieldSet; session: FieldSet };
  showUser: (row: UserRow) => FullUser;
  showSession: ShowSession;
  epochNotes: EpochNotes;
  epochSignal: EpochSignal;
  signingKeys: SigningKeys;
  /** Counts what goes on. */
  activity: ActivityTally;
  passwords: PasswordHasher;
  outbound: Outbound;
  providers: Providers;
  bus: Bus;
  /** Tells the relay that a transaction with events has committed. */
  wakeRelay: () => void;
  logger: Logger;
  metrics: Metrics;
  /** Undefined while traces are off. */
  tracing: Tracing | undefined;
}

const newTextId = () => randomToken(32, "alphanumeric");

/** Builds the dependencies from checked settings; nothing else in this service builds any. */
export const createDeps = (settings: Settings, tracing?: Tracing): Deps => {
  const { options } = settings;
  const config = readIdentityConfig(settings);
  const logger = createLogger({ service: "identity", ...options.logger, tracing });
  const metrics = createMetrics("identity");
  const clock = Date.now;
  const ring = createSecretRing(options.secret);
  const db = openDatabase<Tables>(settings, { schema, logger, metrics, tracing });
  const redis = options.redisUrl ? createRedis(options.redisUrl, logger) : undefined;
  const redisGeneration =
    redis && config.session.storeSessionInDatabase ? createRedisGeneration(redis) : undefined;
  const outbound = createOutbound(config.outbound);
  const epochNotes = createEpochNotes();
  const fields = {
    user: createFieldSet(config.additionalFields.user),
    session: createFieldSet(config.additionalFields.session),
  };
  return {
    config,
    clock,
    newId: createNewId(config.database, db),
    // Not by the application's function: the bus takes no integers and no colons.
    newEventId: newTextId,
    ring,
    db,
    redis,
    redisGeneration,
    sessions: chooseSessionStore({
      config: config.session,
      db,
      redis,
      generation: redisGeneration,
      clock,
      epochNotes,
      keyOf: createRedisKeys(options.advanced.redisKeyPrefix),
    }),
    fields,
    showUser: createShowUser(config, fields.user),
    showSession: createShowSession(config, fields.session),
    epochNotes,
    epochSignal: createEpochSignal(),
    signingKeys: createSigningKeys({
      db,
      ring,
      clock,
      logger,
      newId: newTextId,
      config: config.jwt,
    }),
    activity: observeActivity(createActivityTally({ clock, db }), metrics),
    passwords: createPasswordHasher(config.emailAndPassword.password, { metrics, tracing }),
    outbound,
    providers: createProviders({ outbound, clock, logger }, config.socialProviders),
    bus: createBus(settings, logger),
    wakeRelay: () => {},
    logger,
    metrics,
    tracing,
  };
};
