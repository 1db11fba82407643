export { registerCounter } from "./counter.ts";
export { registerGauge } from "./gauge.ts";
export { registerHistogram } from "./histogram.ts";
export { createLogger, type Logger } from "./logger.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { registerRedisGauge } from "./store-gauges.ts";
export { traceRequests } from "./trace-requests.ts";
export type { Tracing } from "./tracing.ts";
