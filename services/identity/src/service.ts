import { listen, pingRedis } from "@latchkey/service-kit/database";
import { startRecordingEvents } from "@latchkey/service-kit/events";
import { areFieldsSynced, syncFields } from "@latchkey/service-kit/fields";
import { defineService } from "@latchkey/service-kit/run";
import { keepWriting } from "@latchkey/service-kit/statistics";
import { readIdentityConfig } from "./config.ts";
import { sweepMerges } from "./admin/duplicates/merge-users.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { revisionChannel } from "./user-revisions/queries.ts";
import { sweepRevisions } from "./user-revisions/follow-user-revisions.ts";
import { createDescribeChanges } from "./events/describe-changes.ts";
import { openMovers } from "./export/session-mover.ts";
import { sweepCodes, sweepSecondFactors, sweepRefusals } from "./sweeps.ts";
import { sweepGuests } from "./guests/guests.ts";
import { sweepWindows } from "./limits/limits.ts";
import { firstChecks, operations } from "./operations.ts";

import { announceRequirement } from "./second-factor/notices/announce-requirement.ts";
import { reportPasskeysOff } from "./passkeys/verify-response.ts";
import { sweepPasskeyChallenges } from "./passkeys/challenge.ts";
import { resealRedisSessions } from "./sessions/reseal-redis-sessions.ts";
import { sweepKnownBrowsers } from "./sessions/known-browsers.ts";
import { resolveCaller } from "./sessions/resolve-session.ts";
import { sweepSessions } from "./sessions/store/postgres-session-store.ts";
import { sweepActiveUsers } from "./statistics/activity-tally.ts";

import { sweepSigningKeys } from "./jwt/signing-key-operations.ts";
import { sweepSecrets } from "./secrets/secrets.ts";
import { fieldTables, wantedViews } from "./db/wanted-views.ts";

/** Owns users, sessions, accounts and verification. */
export const identity = defineService({
  name: "identity",
  options: readIdentityConfig,
  schema: {
    migrations,
    views: wantedViews,
    beforeViews: (db, config) => syncFields(db, fieldTables(config)),
    isReadyForViews: (db, config) => areFieldsSynced(db, fieldTables(config)),
    openMovers,
  },
  createDeps,
  operations,
  firstChecks,
  consumers,
  sweeps: [
    sweepSessions,
    sweepSecrets,
    sweepCodes,
    sweepRevisions,
    sweepSigningKeys,
    sweepActiveUsers,
    sweepRefusals,
    sweepWindows,
    sweepSecondFactors,
    announceRequirement,
    sweepPasskeyChallenges,
    sweepKnownBrowsers,
    sweepMerges,
    sweepGuests,
  ],
  resealElsewhere: resealRedisSessions,
  checks: ({ redis }) => (redis ? { redis: () => pingRedis(redis) } : {}),
  resolveSession: resolveCaller,
  headersFor: ({ revisionRecords, urgentEvents }, caller) => ({
    ...revisionRecords.headersFor(caller),
    ...urgentEvents.headersFor(caller),
  }),
  background: (deps, settings) => {
    const { activity, config, revisionSignal, logger, signingKeys } = deps;
    void signingKeys.ensure();
    reportPasskeysOff({ config, logger });
    const onNotified = () => revisionSignal.wake();
    return [
      ...(config.session.cookieCache.enabled
        ? [listen({ settings, channel: revisionChannel, onNotified, logger })]
        : []),
      keepWriting(activity, logger),
      startRecordingEvents({
        ...deps,
        isEnabled: config.recordsEvents,
        describe: createDescribeChanges(deps),
      }),
    ];
  },
});
