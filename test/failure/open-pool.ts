import { createLogger, createPostgresPool } from "@latchkey/service-kit";

/** A pool beside the services', to look into their tables. The caller ends it. */
export const openPool = (url: string) =>
  createPostgresPool({
    url,
    max: 2,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
