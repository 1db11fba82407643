import {
  defineService,
  keepWriting,
  listen,
  pingRedis,
  startRecordingEvents,
} from "@latchkey/service-kit";
import { readIdentityConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, type Deps } from "./deps.ts";
import { revisionChannel } from "./user-revisions/queries.ts";
import { sweepRevisions } from "./user-revisions/sweep-revisions.ts";
import { describeChanges } from "./events/describe-changes.ts";
import { openMovers } from "./export/session-mover.ts";
import { areFieldsSynced, syncFields } from "./fields/sync-fields.ts";
import { sweepCodes } from "./email-codes/sweep-codes.ts";
import { sweepWindows } from "./limits/sweep-windows.ts";
import { firstChecks, operations } from "./operations.ts";
import { resealSecondFactors } from "./second-factor/reseal-second-factors.ts";
import { sweepSecondFactors } from "./second-factor/sweep-second-factors.ts";
import { announceRequirement } from "./second-factor/notices/announce-requirement.ts";
import { reportPasskeysOff } from "./passkeys/relying-party.ts";
import { sweepPasskeyChallenges } from "./passkeys/sweep-passkey-challenges.ts";
import { resolveCaller } from "./sessions/resolve-caller.ts";
import { sweepSessions } from "./sessions/sweep-sessions.ts";
import { sweepActiveUsers } from "./statistics/sweep-active-users.ts";
import { sweepRefusals } from "./refused-sign-ins/sweep-refusals.ts";
import { sweepSigningKeys } from "./jwt/sweep-signing-keys.ts";
import { sweepVerifications } from "./one-time-tokens/sweep-verifications.ts";
import { wantedViews } from "./db/wanted-views.ts";

/** With sessions in both stores, Redis is ready once its generation is known. */
const checkRedis = async ({
  redis,
  redisGeneration,
}: Pick<Deps, "redis" | "redisGeneration">): Promise<void> => {
  if (redis) await pingRedis(redis);
  redisGeneration?.();
};

/** Owns users, sessions, accounts and verification. */
export const identity = defineService({
  name: "identity",
  options: readIdentityConfig,
  schema: {
    migrations,
    views: wantedViews,
    beforeViews: syncFields,
    isReadyForViews: areFieldsSynced,
    openMovers,
  },
  createDeps,
  operations,
  firstChecks,
  consumers,
  sweeps: [
    sweepSessions,
    sweepVerifications,
    sweepCodes,
    sweepRevisions,
    sweepSigningKeys,
    sweepActiveUsers,
    sweepRefusals,
    sweepWindows,
    sweepSecondFactors,
    resealSecondFactors,
    announceRequirement,
    sweepPasskeyChallenges,
  ],
  checks: (deps) => (deps.redis ? { redis: () => checkRedis(deps) } : {}),
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
      startRecordingEvents({ ...deps, isEnabled: config.recordsEvents, describe: describeChanges }),
    ];
  },
});
