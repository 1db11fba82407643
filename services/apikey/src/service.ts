import { defineService, every, keepWriting, startRecordingEvents } from "@latchkey/service-kit";
import { readApiKeyConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { describeChanges } from "./events/describe-changes.ts";
import { sweepExpiredKeys } from "./keys/sweep-expired-keys.ts";
import { operations } from "./operations.ts";
import { sweepDepartedOwners } from "./owners/sweep-departed-owners.ts";
import { sweepDepartedOrganizations } from "./organizations/sweep-departed-organizations.ts";
import { sweepUsage } from "./usage/sweep-usage.ts";
import { wantedViews } from "./db/wanted-views.ts";

const expiryMilliseconds = 10_000;

/** Owns API keys, their limits and their verification. It is ready without identity, because few operations need that. */
export const apikey = defineService({
  name: "apikey",
  options: readApiKeyConfig,
  schema: { migrations, views: wantedViews },
  createDeps,
  operations,
  consumers,
  sweeps: [sweepDepartedOwners, sweepDepartedOrganizations, sweepUsage],
  background: (deps) => [
    keepWriting(deps.usage, deps.logger),
    every(expiryMilliseconds, deps.logger, () => sweepExpiredKeys(deps)),
    startRecordingEvents({
      ...deps,
      isEnabled: deps.config.recordsEvents,
      describe: describeChanges,
    }),
  ],
});
