import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { departureOf } from "../http/departure-of.ts";
import { withDeadline } from "../bounds/with-deadline.ts";
import { registerGauge } from "../observe/gauge.ts";
import type { Metrics } from "../observe/metrics.ts";
import { addProcessMetrics } from "../observe/process-metrics.ts";
import { version } from "../observe/version.ts";

/** Checks one dependency: resolves if it responds and rejects if it does not. */
export type HealthCheck = () => Promise<unknown>;

/** Whether a service accepts requests, for balancers and probes. */
interface Serving {
  status: "ok" | "unavailable";
  version: string;
  /** Set until every dependency responded once. */
  starting?: true;
  /** Set while the service still answers but is about to stop. */
  stopping?: true;
}

/** The readiness report of a service. */
export interface Readiness extends Omit<Serving, "starting"> {
  /** Whether each dependency responded in time. */
  checks: Record<string, boolean>;
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
 * `/health/serving`: for balancers and probes. 503 until every dependency responded once, and after a stop was requested. An outage of a
 * dependency does not change it, because a balancer would then remove all replicas at once (ADR 102).
 * `/health/ready`: for persons and alerts. 503 while a dependency does not respond in time, and after a stop was requested.
 * `/metrics`: includes the metrics of the process and the state of the dependencies.
 */
export const mountHealth = (
  app: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
  metrics: Metrics,
): void => {
  const removeProcessMetrics = addProcessMetrics(metrics.registry);
  /** The dependencies that have not responded yet. */
  const awaited = new Set(Object.keys(checks));
  const read = async (): Promise<Readiness> => {
    const readiness = await readReadiness(checks);
    for (const [name, answered] of Object.entries(readiness.checks))
      if (answered) awaited.delete(name);
    return readiness;
  };
  app.addHook("onClose", async () => removeProcessMetrics());
  registerGauge(metrics, {
    name: "dependency_ready",
    help: "1 for each dependency that responds in time",
    labels: ["dependency"],
    read: async () =>
      Object.entries((await read()).checks).map(([dependency, answered]) => ({
        labels: { dependency },
        value: answered ? 1 : 0,
      })),
  });
  const options = { exposeHeadRoute: true };
  app.get("/health/live", options, async () => ({ status: "ok" }));
  const send = (reply: FastifyReply, found: Serving | Readiness) => {
    const state: typeof found = departureOf(app).isNear
      ? { ...found, status: "unavailable", stopping: true }
      : found;
    return reply.code(state.status === "ok" ? 200 : 503).send(state);
  };
  app.get("/health/serving", options, async (_request, reply) => {
    if (awaited.size > 0) await read();
    const isStarting = awaited.size > 0;
    return send(
      reply,
      isStarting ? { status: "unavailable", version, starting: true } : { status: "ok", version },
    );
  });
  app.get("/health/ready", options, async (_request, reply) => send(reply, await read()));
  app.get("/metrics", options, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
