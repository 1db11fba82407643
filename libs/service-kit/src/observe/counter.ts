import { Counter } from "prom-client";
import type { Metrics } from "./metrics.ts";

export interface CounterOptions<Label extends string> {
  /** Name with the suffix `_total`. The prefix `latchkey_` is added. */
  name: string;
  help: string;
  /** Label names. Each must have few, known values. */
  labels?: readonly Label[];
}

/** Registers a counter of events. */
export const registerCounter = <Label extends string>(
  { registry }: Metrics,
  { name, help, labels = [] }: CounterOptions<Label>,
): Counter<Label> =>
  new Counter({ name: `latchkey_${name}`, help, labelNames: labels, registers: [registry] });
