import { createSecretRing, randomToken } from "@latchkey/crypto";
import { initialOf } from "@latchkey/service-kit/database";
import { createUrgentEvents } from "@latchkey/service-kit/events";
import { createOutbound } from "@latchkey/service-kit/http";
import { serviceFixture, testSecret } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { type IdentityConfig, readIdentityConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { createSigningKeys } from "../jwt/signing-keys.ts";
import { createPasswordHasher } from "../passwords/password-hasher.ts";
import { createRevisionRecords, createRevisionSignal } from "../user-revisions/revision-records.ts";

import { createFieldSets } from "@latchkey/service-kit/fields";
import { createLimits } from "../limits/limits.ts";
import type { Providers } from "../providers/create-providers.ts";
import { chooseSessionStore } from "../sessions/store/choose-session-store.ts";
import { createShowSession } from "../sessions/show-session.ts";
import { createActivityTally } from "../statistics/activity-tally.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type SessionStart,
} from "../sessions/create-session.ts";
import { insertUser, type NewUser } from "../users/queries.ts";
import { type UserRow, createShowUser } from "../users/user-row.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import { type Tables, userColumns } from "./tables.ts";

const newTextId = () => randomToken(32, "alphanumeric");

const fixture = serviceFixture<Tables, IdentityConfig>({
  schema,
  folder: import.meta.dirname,
  migrations,
  readConfig: readIdentityConfig,
});
export const { connect: connectIdentity, create: createIdentityDatabase } = fixture;
export const { open: openIdentityDatabase, configOf: identityConfig } = fixture;

/** Observers without metrics. */
const observers = {
  codeObserver: { record: () => {} },
  deviceSessionObserver: { record: () => {} },
  guestObserver: { record: () => {} },
  secondFactorObserver: { recordGuess: () => {}, recordLock: () => {} },
  textObserver: { record: () => {} },
};
const limitObserver = { recordMail: () => {}, recordPasswordTry: () => {} };

/** Creates the dependencies of the features, with sessions in Postgres and without a bus. */
export const createTestDeps = ({
  config,
  db,
  clock,
}: {
  config: IdentityConfig;
  db: Kysely<Tables>;
  clock: () => number;
}) => {
  const revisionRecords = createRevisionRecords();
  const ring = createSecretRing([testSecret]);
  const fields = createFieldSets(config.additionalFields);
  return {
    config,
    schema,
    db,
    clock,
    bus: {} as Deps["bus"], // only the operations of queues use it
    redis: undefined,
    activity: createActivityTally({ clock, db }),
    logger: fixture.logger,
    revisionRecords,
    revisionSignal: createRevisionSignal(),
    signingKeys: createSigningKeys({
      config: config.jwt,
      db,
      clock,
      ring,
      logger: fixture.logger,
      newId: newTextId,
    }),
    urgentEvents: createUrgentEvents(),
    fields,
    ...observers,
    limits: createLimits({ config, ring, observer: limitObserver }),
    newId: async () => newTextId(),
    newEventId: newTextId,
    compromisedPasswords: { includes: async () => false, close: async () => {} },
    outbound: createOutbound(config.outbound),
    passwords: createPasswordHasher(config.emailAndPassword.password),
    providers: new Map() as Providers,
    ring,
    sessions: chooseSessionStore({
      config: config.session,
      db,
      redis: undefined,
      clock,
      revisionRecords,
      keyOf: (kind, tag) => `${kind}:${tag}`,
    }),
    showUser: createShowUser(config, fields.user),
    showSession: createShowSession(config, fields.session),
    wakeRelay: () => {},
    settleEvent: () => {},
  };
};

/** Returns a user's row to insert, with minimal defaults. */
export const newUser = (given: Partial<NewUser> = {}): NewUser => {
  const id = given.id ?? newTextId();
  const createdAt = given.createdAt ?? new Date();
  return {
    ...initialOf(userColumns),
    id,
    name: "Ada",
    email: `${id.toLowerCase()}@example.com`,
    emailVerified: false,
    createdAt,
    updatedAt: createdAt,
    role: "user",
    ...given,
  };
};

/** Inserts a user. */
export const seedUser = async (
  db: Kysely<Tables>,
  given: Partial<NewUser> = {},
): Promise<UserRow> => {
  const user = await insertUser(db, newUser(given));
  if (!user) throw new Error("the user was not created");
  return user;
};

/** Creates a session. Throws if the user does not exist. */
export const seedSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  start: Omit<SessionStart, "proof"> & { proof?: SessionStart["proof"] },
) => {
  const created = await createSession(deps, user, { proof: { methods: ["password"] }, ...start });
  if (!created) throw new Error("the session was not created");
  return created;
};
