import { type QueryExecutorProvider, sql } from "kysely";

/** Resolves when the database answers. */
export const pingDatabase = async (db: QueryExecutorProvider): Promise<void> => {
  await sql`select 1`.execute(db);
};
