import { type QueryExecutorProvider, sql } from "kysely";

/** Resolves if the database responds. */
export const pingDatabase = async (db: QueryExecutorProvider): Promise<void> => {
  await sql`select 1`.execute(db);
};
