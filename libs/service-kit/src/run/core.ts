import type { ServiceName } from "@latchkey/contracts";
import { createSecretRing, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Bus } from "../bus/bus.ts";
import type { Settings } from "../config/settings.ts";
import { createLogger, type Logger } from "../observe/logger.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import type { Tracing } from "../observe/tracing.ts";

/** The dependencies that every service has. */
export interface Core<Config> {
  config: Config;
  clock: () => number;
  ring: SecretRing;
  logger: Logger;
  metrics: Metrics;
  /** Undefined while tracing is off. */
  tracing: Tracing | undefined;
}

/** The dependencies that every service with tables and events has. */
export interface StoringCore<Config, Tables> extends Core<Config> {
  /** The name of the service's schema. */
  schema: string;
  db: Kysely<Tables>;
  bus: Bus;
  /** Returns a random text. The application's function never generates it, because the bus accepts neither integers nor colons. */
  newEventId: () => string;
  /** Notifies the relay that a transaction with events has committed. */
  wakeRelay: () => void;
  /** Notifies the relay that this process has applied an own event. */
  settleEvent: (id: string) => void;
}

/** Creates what needs no connection. */
export const createCore = <Config>(
  { name, options: readConfig }: { name: ServiceName; options: (settings: Settings) => Config },
  settings: Settings,
  tracing: Tracing | undefined,
): Core<Config> => {
  const { logger, secret } = settings.options;
  return {
    config: readConfig(settings),
    clock: Date.now,
    ring: createSecretRing(secret),
    logger: createLogger({ service: name, ...logger, tracing }),
    metrics: createMetrics(name),
    tracing,
  };
};
