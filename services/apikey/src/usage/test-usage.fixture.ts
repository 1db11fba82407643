import { afterAll } from "vitest";
import type { ApiKeyUsage } from "@latchkey/contracts";
import { createTestDeps, openApiKeyDatabase } from "../db/test-apikey.fixture.ts";
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
  const { db, connect } = await openApiKeyDatabase();
  const deps = createTestDeps(db);
  afterAll(() => deps.close());
  return {
    db,
    deps,
    replicas: [db, connect()] as const,
    /** Returns all counts of a key. */
    daysOf: (keyId: string): Promise<ApiKeyUsage["days"]> =>
      listUsage(db, { keyId, from: "1970-01-01", to: "9999-12-31" }),
  };
};
