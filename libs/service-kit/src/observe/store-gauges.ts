import { registerGauge } from "./gauge.ts";
import type { Metrics } from "./metrics.ts";

/** Registers a pool's connections: total, idle and waited for. */
export const registerPoolGauge = (
  metrics: Metrics,
  pool: { totalCount: number; idleCount: number; waitingCount: number },
): void =>
  registerGauge(metrics, {
    name: "postgres_connections",
    help: "Connections to Postgres by condition; `waiting` are statements without one",
    labels: ["condition"],
    read: async () => [
      { labels: { condition: "open" }, value: pool.totalCount },
      { labels: { condition: "idle" }, value: pool.idleCount },
      { labels: { condition: "waiting" }, value: pool.waitingCount },
    ],
  });

/** Registers whether Redis is connected. */
export const registerRedisGauge = (metrics: Metrics, redis: { status: string }): void =>
  registerGauge(metrics, {
    name: "redis_connected",
    help: "1 while Redis is connected",
    read: async () => [{ value: redis.status === "ready" ? 1 : 0 }],
  });
