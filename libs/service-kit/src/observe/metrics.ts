import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What one service counts of itself, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Counts a request and how long it took. */
  observeRequest(operation: string, status: number, seconds: number): void;
}

/** Durations, in seconds, that matter to somebody who waits for an answer. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

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
      new Histogram({
        name: "latchkey_request_seconds",
        help: "Duration of requests by operation and status",
        labelNames: ["operation", "status"],
        buckets,
        registers: [registry],
      }),
    ),
  };
};
