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
import { type OrganizationConfig, readOrganizationConfig } from "./config.ts";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";

/** All dependencies of the features. Each feature declares the subset that it uses. */
export interface Deps {
  config: OrganizationConfig;
  clock: () => number;
  newId: RowIds<"organization" | "member" | "invitation" | "team">;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
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
  const config = readOrganizationConfig(settings);
  const logger = createLogger({ service: "organization", ...options.logger, tracing });
  const metrics = createMetrics("organization");
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
    identity: createServiceClient({
      to: config.identityUrls,
      from: "organization",
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
