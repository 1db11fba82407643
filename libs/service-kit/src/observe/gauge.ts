import { Gauge } from "prom-client";
import type { Metrics } from "./metrics.ts";

export interface GaugeOptions<Label extends string> {
  /** With its unit last; `latchkey_` is put before it. */
  name: string;
  help: string;
  labels?: readonly Label[];
  /** Reads what is so now, whenever metrics are asked for. */
  read: () => Promise<readonly { labels?: Record<Label, string>; value: number }[]>;
}

/** A figure that is looked up when metrics are asked for; one that cannot be had is left out, and the others are shown. */
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
