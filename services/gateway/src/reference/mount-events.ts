import { describeApplicationEvents } from "@latchkey/contracts";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";

/** Path from the origin. It is fixed, so that tools find it. */
const path = "/api/events.json";
const options = { config: { metricsName: "events document" }, exposeHeadRoute: true };

/** Serves the JSON Schemas of events as fixed public bytes, outside the pipeline. Without webhooks, the route does not exist. */
export const mountEvents = async (
  app: FastifyInstance,
  { config }: Pick<Deps, "config">,
): Promise<void> => {
  if (!config.servesEvents) return;
  const text = JSON.stringify({ events: describeApplicationEvents() });
  app.get(path, options, async (_request, reply) =>
    reply.type("application/json").header("cache-control", "public, no-cache").send(text),
  );
};
