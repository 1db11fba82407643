import { defineService } from "@latchkey/service-kit/run";
import { readWebhooksConfig } from "./config.ts";
import { migrations } from "./db/migrations.ts";
import { consumeRecorded } from "./deliveries/consume-recorded.ts";
import { startDispatcher } from "./deliveries/start-dispatcher.ts";
import { sweepDeliveries } from "./deliveries/sweep-deliveries.ts";
import { createDeps } from "./deps.ts";
import { operations } from "./operations.ts";

/** Delivers events to applications. It is ready without their receivers, because deliveries wait for those. */
export const webhooks = defineService({
  name: "webhooks",
  options: readWebhooksConfig,
  schema: { migrations },
  createDeps,
  operations,
  consumers: { "events.recorded": consumeRecorded },
  sweeps: [sweepDeliveries],
  background: (deps) => {
    const leave = () => deps.leaving.abort();
    return [startDispatcher(deps), { drain: leave, stop: async () => leave() }];
  },
});
