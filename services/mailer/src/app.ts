import { createServer, mountHealth, pingDatabase } from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import type { Deps } from "./deps.ts";

/** The HTTP face of this service: health and metrics. It is ready without the SMTP server: mails wait for that. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const app = createServer(deps.logger);
  mountHealth(
    app,
    {
      postgres: () => pingDatabase(deps.db),
      bus: () => deps.bus.ping(),
    },
    deps.metrics,
  );
  return app;
};
