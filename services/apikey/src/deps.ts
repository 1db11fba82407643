import { createSecretRing, randomToken, type SecretRing } from "@latchkey/crypto";
import {
  type Bus,
  createBus,
  createLogger,
  createMetrics,
  createRowIds,
  createServiceClient,
  type Logger,
  type Metrics,
  openDatabase,
  type RowIds,
  type ServiceClient,
  type Settings,
  type Tracing,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { type ApiKeyConfig, readApiKeyConfig } from "./config.ts";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { createUsageTally, type UsageTally } from "./usage/usage-tally.ts";
import { type CountUse, createUseCounter } from "./verification/count-use.ts";
import { createGuessGuard, type GuessGuard } from "./verification/guess-guard.ts";
import { createUseKey, type UseKey } from "./verification/use-key.ts";

/** All dependencies of the features. Each feature declares the subset that it uses. */
export interface Deps {
  config: ApiKeyConfig;
  clock: () => number;
  newId: RowIds<"apikey">;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
  /** Uses a key once. */
  useKey: UseKey;
  countUse: CountUse;
  guesses: GuessGuard;
  /** Counts the outcomes of uses. */
  usage: UsageTally;
  /** Calls identity. */
  identity: ServiceClient;
  bus: Bus;
  /** Notifies the relay that a transaction with events has committed. */
  wakeRelay: () => void;
  logger: Logger;
  metrics: Metrics;
  /** Undefined while tracing is disabled. */
  tracing: Tracing | undefined;
}

const eventIdLength = 32;

/** Builds the dependencies from validated settings. Nothing else in this service creates any. */
export const createDeps = (settings: Settings, tracing?: Tracing): Deps => {
  const { options } = settings;
  const config = readApiKeyConfig(settings);
  const logger = createLogger({ service: "apikey", ...options.logger, tracing });
  const metrics = createMetrics("apikey");
  const clock = Date.now;
  const ring = createSecretRing(options.secret);
  const db = openDatabase<Tables>(settings, { schema, logger, metrics, tracing });
  return {
    config,
    clock,
    newId: createRowIds(config.database, { db, schema }),
    newEventId: () => randomToken(eventIdLength, "alphanumeric"),
    ring,
    db,
    useKey: createUseKey({ clock, config, db }),
    countUse: createUseCounter(metrics),
    guesses: createGuessGuard({ clock, config }),
    usage: createUsageTally({ clock, db }),
    identity: createServiceClient({
      to: config.identityUrls,
      from: "apikey",
      ring,
      clock,
      tracing,
    }),
    bus: createBus(settings, logger),
    wakeRelay: () => {},
    logger,
    metrics,
    tracing,
  };
};
