import {
  type Connections,
  createOutbound,
  createRedisKeys,
  createRowIds,
  createUrgentEvents,
  type StoringCore,
} from "@latchkey/service-kit";
import type { IdentityConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createRevisionRecords } from "./user-revisions/revision-records.ts";
import { createRevisionSignal } from "./user-revisions/revision-signal.ts";
import { createFieldSets } from "./fields/field-set.ts";
import { observeCodes } from "./email-codes/observe-codes.ts";
import { createLimits } from "./limits/limits.ts";
import { observeLimits } from "./limits/observe-limits.ts";
import { createPasswordHasher } from "./passwords/password-hasher.ts";
import { createProviders } from "./providers/create-providers.ts";
import { observeSecondFactor } from "./second-factor/observe-second-factor.ts";
import { chooseSessionStore } from "./sessions/store/choose-session-store.ts";
import { createRedisGeneration } from "./sessions/store/redis-generation.ts";
import { createResolvedJson } from "./sessions/resolved-json.ts";
import { createShowSession } from "./sessions/show-session.ts";
import { createActivityTally, observeActivity } from "./statistics/activity-tally.ts";
import { createSigningKeys } from "./jwt/signing-keys.ts";
import { createShowUser } from "./users/show-user.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<IdentityConfig, Tables>,
  { openRedis, onClose }: Connections,
) => {
  const { config, metrics } = core;
  const redis = openRedis();
  const inBothStores = config.session.storeSessionInDatabase;
  const redisGeneration = redis && inBothStores ? createRedisGeneration(redis) : undefined;
  const outbound = createOutbound(config.outbound);
  onClose(() => outbound.close());
  const keyOf = createRedisKeys(config.redisKeyPrefix);
  const revisionRecords = createRevisionRecords();
  const inSessions = { config: config.session, redis, generation: redisGeneration, keyOf };
  const fields = createFieldSets(config.additionalFields);
  return {
    ...core,
    newId: createRowIds<"user" | "session" | "account" | "verification">(config.database, core),
    redis,
    /** Defined if sessions are in Redis and in rows. */
    redisGeneration,
    sessions: chooseSessionStore({ ...core, ...inSessions, revisionRecords }),
    fields,
    showUser: createShowUser(config, fields.user),
    showSession: createShowSession(config, fields.session),
    resolvedJson: createResolvedJson(config),
    revisionRecords,
    revisionSignal: createRevisionSignal(),
    urgentEvents: createUrgentEvents(),
    signingKeys: createSigningKeys({ ...core, newId: core.newEventId, config: config.jwt }),
    activity: observeActivity(createActivityTally(core), metrics),
    codeObserver: observeCodes(metrics),
    limits: createLimits({ ...core, observer: observeLimits(metrics) }),
    secondFactorObserver: observeSecondFactor(metrics),
    passwords: createPasswordHasher(config.emailAndPassword.password, core),
    outbound,
    providers: createProviders({ ...core, outbound }, config.socialProviders),
  };
};

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
