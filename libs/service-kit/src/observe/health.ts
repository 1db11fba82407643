import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { departureOf } from "../http/departure-of.ts";
import { withDeadline } from "../run/with-deadline.ts";
import { registerGauge } from "./gauge.ts";
import type { Metrics } from "./metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { version } from "./version.ts";

/** Checks one dependency: resolves if it responds and rejects if it does not. */
export type HealthCheck = () => Promise<unknown>;

/** The readiness report of a service. */
export interface Readiness {
  status: "ok" | "unavailable";
  version: string;
  /** Whether each dependency responded in time. */
  checks: Record<string, boolean>;
  /** Set while the service still answers but is about to stop. */
  stopping?: true;
}

/** Earlier versions report no version, and a proxy in between may send anything. */
const toldReadiness = z.object({
  status: z.enum(["ok", "unavailable"]),
  version: z.string().nullable().catch(null),
  checks: z.record(z.string(), z.boolean()).catch({}),
});
export type ToldReadiness = z.output<typeof toldReadiness>;

/** Parses the readiness report of another service. Throws if it is not one. */
export const parseReadiness = (answer: string): ToldReadiness =>
  toldReadiness.parse(JSON.parse(answer));

const checkMilliseconds = 2_000;

const answersInTime = (name: string, check: HealthCheck): Promise<boolean> =>
  withDeadline(check(), checkMilliseconds, name).then(
    () => true,
    () => false,
  );

/** Checks all dependencies concurrently, with a timeout of two seconds each. */
export const readReadiness = async (
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Readiness> => {
  const results = await Promise.all(
    Object.entries(checks).map(
      async ([name, check]) => [name, await answersInTime(name, check)] as const,
    ),
  );
  const isReady = results.every(([, answered]) => answered);
  return { status: isReady ? "ok" : "unavailable", version, checks: Object.fromEntries(results) };
};

/**
 * Mounts the health routes.
 * `/health/live`: the process runs.
 * `/health/ready`: every dependency responded in time and no stop was requested, otherwise 503. Includes the version.
 * `/metrics`: includes the metrics of the process and the state of the dependencies.
 */
export const mountHealth = (
  app: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
  metrics: Metrics,
): void => {
  const removeProcessMetrics = addProcessMetrics(metrics.registry);
  app.addHook("onClose", async () => removeProcessMetrics());
  registerGauge(metrics, {
    name: "dependency_ready",
    help: "1 for each dependency that responds in time",
    labels: ["dependency"],
    read: async () =>
      Object.entries((await readReadiness(checks)).checks).map(([dependency, answered]) => ({
        labels: { dependency },
        value: answered ? 1 : 0,
      })),
  });
  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async (_request, reply) => {
    const found = await readReadiness(checks);
    const readiness: Readiness = departureOf(app).isNear
      ? { ...found, status: "unavailable", stopping: true }
      : found;
    return reply.code(readiness.status === "ok" ? 200 : 503).send(readiness);
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
