import { every } from "@latchkey/service-kit/background";
import type { WantedView } from "@latchkey/service-kit/custom-names";
import { startRecordingEvents } from "@latchkey/service-kit/events";
import { defineService } from "@latchkey/service-kit/run";
import { keepWriting } from "@latchkey/service-kit/statistics";
import { type ApiKeyConfig, readApiKeyConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { describeChanges } from "./events/describe-changes.ts";
import { sweepNewKeyMails } from "./keys/mail-new-key.ts";
import { sweepExpiredKeys } from "./keys/end-keys.ts";
import { operations } from "./operations.ts";
import { sweepMerges } from "@latchkey/service-kit/merges";
import { sweepDepartedOrganizations, sweepDepartedOwners } from "./owners/owner-events.ts";
import { sweepUsage } from "./usage/operations.ts";

const expiryMilliseconds = 10_000;

/** Returns the view that the options request if they give the table of keys a custom name. */
const wantedViews = ({ apiKey: { schema } }: Pick<ApiKeyConfig, "apiKey">): WantedView[] => {
  const { modelName, fields } = schema.apikey;
  if (modelName === undefined) return [];
  return [{ table: "api_key", option: "apiKey.schema.apikey", name: modelName, names: fields }];
};

/** Owns API keys, their limits and their verification. It is ready without identity, because few operations need that. */
export const apikey = defineService({
  name: "apikey",
  options: readApiKeyConfig,
  schema: { migrations, views: wantedViews },
  createDeps,
  operations,
  consumers,
  sweeps: [
    sweepDepartedOwners,
    sweepDepartedOrganizations,
    sweepUsage,
    sweepNewKeyMails,
    sweepMerges,
  ],
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
