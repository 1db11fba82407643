import { type Histogram, Registry } from "prom-client";
import { registerHistogram } from "./histogram.ts";

/** The Prometheus metrics of one service. */
export interface Metrics {
  registry: Registry;
  /** Records a request and its duration. */
  observeRequest(operation: string, status: number, seconds: number): void;
}

type RequestSeconds = Histogram<"operation" | "status">;

/** Caches the label look-up of each pair, which costs more than the observation. */
const createObserver = (requestSeconds: RequestSeconds): Metrics["observeRequest"] => {
  const byOperation = new Map<string, Map<number, ReturnType<RequestSeconds["labels"]>>>();
  return (operation, status, seconds) => {
    let byStatus = byOperation.get(operation);
    if (!byStatus) byOperation.set(operation, (byStatus = new Map()));
    let labelled = byStatus.get(status);
    if (!labelled)
      byStatus.set(status, (labelled = requestSeconds.labels(operation, String(status))));
    labelled.observe(seconds);
  };
};

/** Creates a separate registry, so that services in one process do not share metrics. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return {
    registry,
    observeRequest: createObserver(
      registerHistogram(
        { registry },
        {
          name: "request_seconds",
          help: "Duration of requests by operation and status",
          labels: ["operation", "status"],
        },
      ),
    ),
  };
};
