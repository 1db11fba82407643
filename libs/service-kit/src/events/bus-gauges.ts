import type { Bus } from "../bus/bus.ts";
import type { Relay } from "./relay.ts";
import { registerGauge } from "../observe/gauge.ts";
import type { Metrics } from "../observe/metrics.ts";

/** Registers the number of messages in a service's queue by condition. */
export const registerQueueGauge = (metrics: Metrics, bus: Bus, queue: string): void =>
  registerGauge(metrics, {
    name: "queue_messages",
    help: "Messages in this service's queue by condition",
    labels: ["condition"],
    read: async () =>
      Object.entries(await bus.counts(queue)).map(([condition, value]) => ({
        labels: { condition },
        value,
      })),
  });

/** Registers the backlog of the outbox. */
export const registerOutboxGauges = (metrics: Metrics, relay: Relay): void => {
  registerGauge(metrics, {
    name: "outbox_waiting",
    help: "Unpublished events",
    read: async () => [{ value: (await relay.lag()).waiting }],
  });
  registerGauge(metrics, {
    name: "outbox_oldest_seconds",
    help: "Age of the oldest unpublished event",
    read: async () => [{ value: (await relay.lag()).oldestSeconds }],
  });
};
