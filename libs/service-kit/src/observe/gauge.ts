import { Gauge } from "prom-client";
import type { Metrics } from "./metrics.ts";

export interface GaugeOptions<Label extends string> {
  /** Name with the unit as suffix. The prefix `latchkey_` is added. */
  name: string;
  help: string;
  labels?: readonly Label[];
  /** Reads the current values at each scrape. */
  read: () => Promise<readonly { labels?: Record<Label, string>; value: number }[]>;
}

/** Registers a metric that is read at each scrape. If the read fails, only this metric is left out. */
export const registerGauge = <Label extends string>(
  metrics: Metrics,
  options: GaugeOptions<Label>,
): void => {
  const gauge = new Gauge({
    name: `latchkey_${options.name}`,
    help: options.help,
    labelNames: options.labels ?? [],
    registers: [metrics.registry],
    collect: async () => {
      const values = await options.read().catch(() => []);
      gauge.reset();
      for (const { labels, value } of values) gauge.set((labels ?? {}) as never, value);
    },
  });
};
