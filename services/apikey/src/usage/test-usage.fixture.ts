import type { ApiKeyUsage } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { connectApiKey, createApiKeyDatabase } from "../db/test-apikey.fixture.ts";
import { listUsage } from "./queries.ts";

/** A day without uses. */
export const noUses = {
  valid: 0,
  rateLimited: 0,
  exhausted: 0,
  expired: 0,
  disabled: 0,
  forbidden: 0,
};

/** Opens a database with two replicas. */
export const openUsage = async () => {
  const database = await createApiKeyDatabase();
  const replicas: readonly [Kysely<Tables>, Kysely<Tables>] = [
    connectApiKey(database.url),
    connectApiKey(database.url),
  ];
  const [db] = replicas;
  return {
    db,
    replicas,
    /** Returns all counts of a key. */
    daysOf: (keyId: string): Promise<ApiKeyUsage["days"]> =>
      listUsage(db, { keyId, from: "1970-01-01", to: "9999-12-31" }),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.destroy()));
      await database.drop();
    },
  };
};
export type OpenedUsage = Awaited<ReturnType<typeof openUsage>>;
