import { createSecretRing, randomToken, type SecretRing } from "@latchkey/crypto";
import {
  type Bus,
  createBus,
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  openDatabase,
  type Settings,
  type Tracing,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { type MailerConfig, readMailerConfig } from "./config.ts";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { createSmtpTransport, type Transport } from "./deliveries/transport.ts";
import { createTryTimer, type StartTry } from "./deliveries/try-timer.ts";

/** The dependencies of this service's features. */
export interface Deps {
  config: MailerConfig;
  clock: () => number;
  newId: () => string;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
  /** Undefined if mails are captured. */
  transport: Transport | undefined;
  startTry: StartTry;
  /** Prints a captured mail at any log level. */
  captureLog: (text: string) => void;
  bus: Bus;
  /** Notifies the relay of a committed transaction with events. */
  wakeRelay: () => void;
  logger: Logger;
  metrics: Metrics;
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined;
}

const newTextId = () => randomToken(32, "alphanumeric");

/** Builds the dependencies from validated settings. Nothing else in this service builds any. */
export const createDeps = (settings: Settings, tracing?: Tracing): Deps => {
  const { options } = settings;
  const config = readMailerConfig(settings);
  const logger = createLogger({ service: "mailer", ...options.logger, tracing });
  const metrics = createMetrics("mailer");
  const captured = createLogger({ service: "mailer", ...options.logger, level: "info" });
  return {
    config,
    clock: Date.now,
    newId: newTextId,
    newEventId: newTextId,
    ring: createSecretRing(options.secret),
    db: openDatabase<Tables>(settings, { schema, logger, metrics, tracing }),
    transport: createSmtpTransport(config.mail, tracing),
    startTry: createTryTimer(metrics, config.mail.smtpUrl ? "smtp" : "captured"),
    captureLog: (text) => captured.info(text),
    bus: createBus(settings, logger),
    wakeRelay: () => {},
    logger,
    metrics,
    tracing,
  };
};
