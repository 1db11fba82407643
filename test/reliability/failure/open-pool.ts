import { createLogger, createPostgresPool } from "@latchkey/service-kit";

/** Opens a separate pool on the services' tables. The caller closes it. */
export const openPool = (url: string) =>
  createPostgresPool({
    url,
    max: 2,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
