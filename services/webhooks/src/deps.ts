import {
  type Connections,
  createWake,
  registerHistogram,
  type StoringCore,
} from "@latchkey/service-kit";
import type { WebhooksConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createReceivers } from "./deliveries/create-receivers.ts";
import { observePending } from "./deliveries/observe-pending.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<WebhooksConfig, Tables>,
  { onClose, openClient }: Connections,
) => {
  const receivers = createReceivers(core.config);
  onClose(() => receivers.close());
  observePending(core.metrics, core.db);
  return {
    ...core,
    newId: core.newEventId,
    receivers,
    /** Wakes the sending loop of this process. */
    dispatch: createWake(),
    /** Aborted when this process begins to leave. */
    leaving: new AbortController(),
    attemptSeconds: registerHistogram(core.metrics, {
      name: "webhook_attempt_seconds",
      help: "Duration of attempts to deliver an event to a webhook by outcome",
      labels: ["outcome"],
    }),
    identity: openClient("identity"),
    organization: openClient("organization"),
  };
};

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
