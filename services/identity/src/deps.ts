import type { OperationReply, operations } from "@latchkey/contracts";
import { createRedisKeys, createRowIds } from "@latchkey/service-kit/database";
import { createUrgentEvents } from "@latchkey/service-kit/events";
import {
  type Answer,
  type Call,
  createOutbound,
  type LinkAnswer,
} from "@latchkey/service-kit/http";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { IdentityConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createRevisionRecords, createRevisionSignal } from "./user-revisions/revision-records.ts";
import { createFieldSets } from "@latchkey/service-kit/fields";
import { observeCodes } from "./email-codes/observe-codes.ts";
import { createLimits } from "./limits/limits.ts";
import { observeGuests } from "./guests/observe-guests.ts";
import { observeLimits } from "./limits/observe-limits.ts";
import { createCompromisedPasswords } from "./passwords/compromised-passwords.ts";
import { observeDay, observeTexts } from "./phone-numbers/text-budget.ts";
import { createPasswordHasher } from "./passwords/password-hasher.ts";
import { createProviders } from "./providers/create-providers.ts";
import { observeDeviceSessions } from "./sessions/observe-device-sessions.ts";
import { observeSecondFactor } from "./second-factor/observe-second-factor.ts";
import { chooseSessionStore } from "./sessions/store/choose-session-store.ts";
import { createShowSession } from "./sessions/show-session.ts";
import { createActivityTally, observeActivity } from "./statistics/activity-tally.ts";
import { createSigningKeys } from "./jwt/signing-keys.ts";
import { createShowUser } from "./users/user-row.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<IdentityConfig, Tables>,
  { openRedis, onClose }: Connections,
) => {
  const { config, metrics } = core;
  const redis = openRedis();
  const outbound = createOutbound(config.outbound);
  const compromisedPasswords = createCompromisedPasswords(core);
  onClose(() => Promise.all([outbound.close(), compromisedPasswords.close()]));
  const keyOf = createRedisKeys(config.redisKeyPrefix);
  const revisionRecords = createRevisionRecords();
  const inSessions = { config: config.session, redis, keyOf };
  const fields = createFieldSets(config.additionalFields);
  if (config.phoneNumber.enabled) observeDay(metrics, core);
  return {
    ...core,
    newId: createRowIds<"user" | "session" | "account" | "verification">(config.database, core),
    redis,
    sessions: chooseSessionStore({ ...core, ...inSessions, revisionRecords }),
    fields,
    showUser: createShowUser(config, fields.user),
    showSession: createShowSession(config, fields.session),
    revisionRecords,
    revisionSignal: createRevisionSignal(),
    urgentEvents: createUrgentEvents(),
    signingKeys: createSigningKeys({ ...core, newId: core.newEventId, config: config.jwt }),
    activity: observeActivity(createActivityTally(core), metrics),
    codeObserver: observeCodes(metrics),
    limits: createLimits({ ...core, observer: observeLimits(metrics) }),
    deviceSessionObserver: observeDeviceSessions(metrics),
    guestObserver: observeGuests(metrics),
    textObserver: observeTexts(metrics),
    secondFactorObserver: observeSecondFactor(metrics),
    passwords: createPasswordHasher(config.emailAndPassword.password, core),
    compromisedPasswords,
    outbound,
    providers: createProviders({ ...core, outbound }, config.socialProviders),
  };
};

/** The dependencies of this service's features, without the parts that only the service's runtime uses. */
export type Deps = Omit<ReturnType<typeof createDeps>, "metrics" | "tracing">;

type Operations = typeof operations.identity;

/** A call of an operation of this service, or of one of several. */
export type CallOf<Name extends keyof Operations> = { [One in Name]: Call<Operations[One]> }[Name];

/** The answer of an operation of this service. */
export type AnswerOf<Name extends keyof Operations> = Answer<OperationReply<Operations[Name]>>;

/** The handler of an operation of this service, or of several with one. */
export type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: CallOf<Name>,
) => Promise<AnswerOf<Name>>;

/** The handler of an operation that a mailed link opens: it may ask for a confirmation first. */
export type LinkHandler<Name extends keyof Operations> = (
  deps: Deps,
  call: CallOf<Name>,
) => Promise<LinkAnswer<OperationReply<Operations[Name]>>>;
