import {
  type Connections,
  createLogger,
  type Settings,
  type StoringCore,
} from "@latchkey/service-kit";
import type { MailerConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { observeFailedMails } from "./deliveries/observe-failed-mails.ts";
import { createSmtpTransport } from "./deliveries/transport.ts";
import { createTryTimer } from "./deliveries/try-timer.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<MailerConfig, Tables>,
  { onClose, openClient }: Connections,
  { options }: Settings,
) => {
  const { mail } = core.config;
  const transport = createSmtpTransport(mail, core.tracing);
  onClose(() => transport?.close());
  observeFailedMails(core.metrics, core.db);
  const captured = createLogger({ service: core.schema, ...options.logger, level: "info" });
  return {
    ...core,
    newId: core.newEventId,
    identity: openClient("identity"),
    /** Undefined if mails are captured. */
    transport,
    startTry: createTryTimer(core.metrics, mail.smtpUrl ? "smtp" : "captured"),
    /** Prints a captured mail at any log level. */
    captureLog: (text: string) => captured.info(text),
  };
};

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
