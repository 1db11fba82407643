import type { OperationReply, operations } from "@latchkey/contracts";
import { createWake, type Wake } from "@latchkey/service-kit/background";
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
import type { Channel, Tables } from "./db/tables.ts";
import { countFailedDeliveries } from "./deliveries/queries.ts";
import { createTextSender } from "./deliveries/text-sender.ts";
import { createSmtpTransport } from "./deliveries/transport.ts";

const failedPeriodSeconds = 86_400;

/** Reports the failed messages of the last day, on which the alerts are based. A retried one no longer counts. */
const observeFailures = (metrics: Metrics, db: Kysely<Tables>): void => {
  registerGauge(metrics, {
    name: "failed_text_messages",
    help: "Text messages of the last day that were given up and not retried",
    read: async () => [{ value: await countFailedDeliveries(db, failedPeriodSeconds, "text") }],
  });
  registerGauge(metrics, {
    name: "failed_mails",
    help: "Mails of the last day that were given up and not retried",
    read: async () => [{ value: await countFailedDeliveries(db, failedPeriodSeconds) }],
  });
};

/** Wakes the loops of this process that send messages, each of which has a pause of its own. */
export const createDispatch = () => {
  const wakes: Readonly<Record<Channel, Wake>> = { mail: createWake(), text: createWake() };
  return {
    wakes,
    wake: () => {
      for (const one of Object.values(wakes)) one.wake();
    },
  };
};

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<MailerConfig, Tables>,
  { onClose, openClient }: Connections,
  { options }: Settings,
) => {
  const { mail } = core.config;
  const transport = createSmtpTransport(mail, core.tracing);
  const texts = createTextSender(core.config, core);
  onClose(() => transport?.close());
  onClose(() => texts?.close());
  observeFailures(core.metrics, core.db);
  const captured = createLogger({ service: core.schema, ...options.logger, level: "info" });
  return {
    ...core,
    newId: core.newEventId,
    identity: openClient("identity"),
    /** Undefined if mails are captured. */
    transport,
    /** Undefined if text messages are captured. */
    texts,
    dispatch: createDispatch(),
    attemptSeconds: registerHistogram(core.metrics, {
      name: "mail_seconds",
      help: "Duration of attempts to send a mail or text message by provider, event and outcome",
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
