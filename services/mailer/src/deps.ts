import type { OperationReply, operations } from "@latchkey/contracts";
import { createWake } from "@latchkey/service-kit/background";
import type { Settings } from "@latchkey/service-kit/config";
import type { Answer, Call } from "@latchkey/service-kit/http";
import {
  createLogger,
  type Metrics,
  registerGauge,
  registerHistogram,
} from "@latchkey/service-kit/observe";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { Kysely } from "kysely";
import type { MailerConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { countFailedDeliveries } from "./deliveries/queries.ts";
import { createSmtpTransport } from "./deliveries/transport.ts";

const failedPeriodSeconds = 86_400;

/** Reports the failed mails of the last day, on which the alert is based. A retried mail no longer counts. */
const observeFailedMails = (metrics: Metrics, db: Kysely<Tables>): void =>
  registerGauge(metrics, {
    name: "failed_mails",
    help: "Mails of the last day that were given up and not retried",
    read: async () => [{ value: await countFailedDeliveries(db, failedPeriodSeconds) }],
  });

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
    /** Wakes the sending loop of this process. */
    dispatch: createWake(),
    attemptSeconds: registerHistogram(core.metrics, {
      name: "mail_seconds",
      help: "Duration of attempts to send a mail by provider, event and outcome",
      labels: ["provider", "event", "outcome"],
    }),
    /** Prints a captured mail at any log level. */
    captureLog: (text: string) => captured.info(text),
  };
};

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;

/** The dependencies of operations, which send no mail. */
type OperationDeps = Pick<Deps, "clock" | "config" | "db" | "dispatch" | "ring">;

type Operations = typeof operations.mailer;

/** The handler of an operation of this service. */
export type Handler<Name extends keyof Operations> = (
  deps: OperationDeps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;
