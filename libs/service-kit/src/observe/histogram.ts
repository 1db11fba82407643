import { Histogram, type Registry } from "prom-client";

export interface HistogramOptions<Label extends string> {
  /** Name with the suffix `_seconds`. The prefix `latchkey_` is added. */
  name: string;
  help: string;
  /** Label names. Each must have few, known values. */
  labels?: readonly Label[];
}

/** Bucket limits in seconds, in the range that waiting users notice. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers a histogram of durations. */
export const registerHistogram = <Label extends string>(
  { registry }: { registry: Registry },
  { name, help, labels = [] }: HistogramOptions<Label>,
): Histogram<Label> =>
  new Histogram({
    name: `latchkey_${name}`,
    help,
    labelNames: labels,
    buckets,
    registers: [registry],
  });
