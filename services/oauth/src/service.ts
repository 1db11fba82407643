import { inBatches } from "@latchkey/service-kit/database";
import { defineService } from "@latchkey/service-kit/run";
import { readOauthConfig } from "./config.ts";
import { forgetUser } from "./consents/operations.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, type Deps } from "./deps.ts";
import {
  deleteExpiredDeviceRequests,
  deleteExpiredUserCodeTries,
} from "./device-requests/queries.ts";
import {
  deleteEndedGrants,
  deleteExpiredArtifacts,
  deleteSpentGrants,
  deleteUnusedClients,
} from "./engine/queries.ts";
import { sweepSigningKeys } from "./signing-keys/signing-keys.ts";
import { operations } from "./operations.ts";

const batchSize = 1_000;
/** Ended grants are kept for a month, so that an admin finds why they ended. So are clients that registered themselves and have no user. */
const endedMilliseconds = 30 * 86_400_000;

/** Deletes what has expired or ended. Exported for tests. */
export const sweepArtifacts = async ({ db, clock }: Pick<Deps, "clock" | "db">): Promise<void> => {
  const now = clock();
  await inBatches(batchSize, (limit) => deleteExpiredArtifacts(db, new Date(now), limit));
  await inBatches(batchSize, (limit) => deleteExpiredDeviceRequests(db, new Date(now), limit));
  await inBatches(batchSize, (limit) => deleteExpiredUserCodeTries(db, new Date(now), limit));
  await inBatches(batchSize, (limit) => deleteSpentGrants(db, limit));
  const before = new Date(now - endedMilliseconds);
  await inBatches(batchSize, (limit) => deleteEndedGrants(db, before, limit));
  await inBatches(batchSize, (limit) => deleteUnusedClients(db, before, limit));
};

/** Signs users in to other applications. It loads the protocol library at the first request. */
export const oauth = defineService({
  name: "oauth",
  options: readOauthConfig,
  schema: { migrations },
  createDeps,
  operations,
  consumers: { "user.deleted": forgetUser },
  sweeps: [sweepArtifacts, sweepSigningKeys],
});
