import { createServer, mountHealth, pingDatabase } from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import type { Deps } from "./deps.ts";

/** The HTTP face of this service: health and metrics. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const { transport } = deps;
  const app = createServer(deps.logger);
  mountHealth(
    app,
    {
      postgres: () => pingDatabase(deps.db),
      bus: () => deps.bus.ping(),
      ...(transport ? { smtp: () => transport.verify() } : {}),
    },
    deps.metrics,
  );
  return app;
};
