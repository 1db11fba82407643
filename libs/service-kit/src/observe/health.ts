import type { FastifyInstance } from "fastify";
import { withDeadline } from "../run/with-deadline.ts";
import type { Metrics } from "./metrics.ts";

/** Checks one dependency; resolves when it answers, rejects when it does not. */
export type HealthCheck = () => Promise<unknown>;

const checkMilliseconds = 2_000;

const answersInTime = (name: string, check: HealthCheck): Promise<boolean> =>
  withDeadline(check(), checkMilliseconds, name).then(
    () => true,
    () => false,
  );

/** `/health/live`: the process runs. `/health/ready`: every dependency answered in time; 503 otherwise. `/metrics`. */
export const mountHealth = (
  app: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
  metrics: Metrics,
): void => {
  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, await answersInTime(name, check)] as const,
      ),
    );
    const ready = results.every(([, answered]) => answered);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ok" : "unavailable", checks: Object.fromEntries(results) });
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
