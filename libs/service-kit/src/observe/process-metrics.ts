import { collectDefaultMetrics, Registry } from "prom-client";

/** Metrics that stopped services used. A new service uses them again, because prom-client never ends their timers and observers. */
const unused: Registry[] = [];

const observeProcess = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};

/** Adds the metrics of the Node process to a service's registry. Returns a function that removes them when the service stops. */
export const addProcessMetrics = (registry: Registry): (() => void) => {
  const source = unused.pop() ?? observeProcess();
  const names = source.getMetricsAsArray().map(({ name }) => name);
  for (const metric of names.map((name) => source.getSingleMetric(name)))
    if (metric) registry.registerMetric(metric);
  return () => {
    for (const name of names) registry.removeSingleMetric(name);
    unused.push(source);
  };
};
