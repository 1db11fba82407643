import { Histogram } from "prom-client";
import type { Metrics } from "./metrics.ts";

export interface HistogramOptions<Label extends string> {
  /** `_seconds` last; `latchkey_` is put before it. */
  name: string;
  help: string;
  /** Each of few values that are known beforehand. */
  labels?: readonly Label[];
}

/** Durations, in seconds, that matter to somebody who waits. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts what happens and how long it takes. */
export const registerHistogram = <Label extends string>(
  { registry }: Pick<Metrics, "registry">,
  { name, help, labels = [] }: HistogramOptions<Label>,
): Histogram<Label> =>
  new Histogram({
    name: `latchkey_${name}`,
    help,
    labelNames: labels,
    buckets,
    registers: [registry],
  });
