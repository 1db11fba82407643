import { Counter } from "prom-client";
import type { Metrics } from "./metrics.ts";

export interface CounterOptions<Label extends string> {
  /** What is counted, `_total` last; `latchkey_` is put before it. */
  name: string;
  help: string;
  /** Each of few values that are known beforehand. */
  labels?: readonly Label[];
}

/** Counts what happens. */
export const registerCounter = <Label extends string>(
  { registry }: Metrics,
  { name, help, labels = [] }: CounterOptions<Label>,
): Counter<Label> =>
  new Counter({ name: `latchkey_${name}`, help, labelNames: labels, registers: [registry] });
