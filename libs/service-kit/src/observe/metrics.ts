import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What one service counts of itself, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Seconds of one request, by operation and status. */
  requestSeconds: Histogram<"operation" | "status">;
}

/** Durations, in seconds, that matter to somebody who waits for an answer. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** A registry of its own, so that services in one process do not share figures. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: "latchkey_request_seconds",
      help: "Duration of requests by operation and status",
      labelNames: ["operation", "status"],
      buckets,
      registers: [registry],
    }),
  };
};
