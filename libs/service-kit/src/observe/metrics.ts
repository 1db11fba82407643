import { collectDefaultMetrics, type Histogram, Registry } from "prom-client";
import { registerHistogram } from "./histogram.ts";

/** What one service counts of itself, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Counts a request and how long it took. */
  observeRequest(operation: string, status: number, seconds: number): void;
}

type RequestSeconds = Histogram<"operation" | "status">;

/** Each pair of labels is looked up in the histogram once, which costs more than to count. */
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

/** A registry of its own, so that services in one process do not share figures. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
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
