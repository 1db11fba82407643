import { createLogger, createPostgresPool } from "@latchkey/service-kit";

/** Opens a system's database, to age rows or to count hidden ones. */
export const openRows = ({ databaseUrl }: { databaseUrl: string }) => {
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({ url: databaseUrl, max: 1, logger, applicationName: "test" });
  return {
    query: async (text: string, ...values: unknown[]) =>
      (await pool.query<Record<string, unknown>>(text, values)).rows,
    close: () => pool.end(),
  };
};
export type Rows = ReturnType<typeof openRows>;
