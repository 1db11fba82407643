import { eventCatalogue, type ServiceName } from "@latchkey/contracts";
import type { BusMessage } from "../bus/bus.ts";
import { UnretryableError } from "../bus/unretryable-error.ts";
import { registerHistogram } from "../observe/histogram.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Tracing } from "../observe/tracing.ts";

export interface ConsumptionOptions {
  service: ServiceName;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

/** Measures each attempt of a message. */
export type ObserveTry = (message: BusMessage, work: () => Promise<void>) => Promise<void>;

/** Limits the labels to known names, because a message may carry any name and each label is kept permanently. */
const labelOf = ({ name }: BusMessage): string =>
  Object.hasOwn(eventCatalogue, name) ? name : "unknown";

const traceparentOf = ({ data }: BusMessage): string | undefined => {
  const { traceparent } = (data ?? {}) as { traceparent?: unknown };
  return typeof traceparent === "string" ? traceparent : undefined;
};

/** Measures the attempts of messages by outcome. Each is a span in the trace of its event. */
export const observeConsumption = (options: ConsumptionOptions): ObserveTry => {
  const { service, metrics, tracing } = options;
  const seconds = registerHistogram(metrics, {
    name: "event_seconds",
    help: "Duration of attempts to consume an event by event and outcome",
    labels: ["event", "outcome"],
  });
  const open = (message: BusMessage) =>
    tracing?.begin(`process ${labelOf(message)}`, {
      kind: "consumer",
      traceparent: traceparentOf(message),
      attributes: {
        "messaging.system": "bullmq",
        "messaging.operation.type": "process",
        "messaging.destination.name": service,
        "messaging.message.id": message.id,
      },
    });
  return async (message, work) => {
    const event = labelOf(message);
    const observe = seconds.startTimer({ event });
    const span = open(message);
    try {
      await (span ? span.within(work) : work());
    } catch (error) {
      observe({ outcome: error instanceof UnretryableError ? "given up" : "failed" });
      span?.end(error);
      throw error;
    }
    observe({ outcome: "done" });
    span?.end();
  };
};
