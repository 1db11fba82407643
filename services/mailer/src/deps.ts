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

/** Everything that the features of this service work with. */
export interface Deps {
  config: MailerConfig;
  clock: () => number;
  newId: () => string;
  newEventId: () => string;
  ring: SecretRing;
  db: Kysely<Tables>;
  /** Undefined where mails are captured. */
  transport: Transport | undefined;
  startTry: StartTry;
  /** Shows a captured mail to whoever runs the process, whatever the log level. */
  captureLog: (text: string) => void;
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
