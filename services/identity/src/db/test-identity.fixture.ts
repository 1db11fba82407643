import { createSecretRing, hashToken, randomToken } from "@latchkey/crypto";
import {
  createDatabase,
  createLogger,
  createPostgresPool,
  createUrgentEvents,
  initialOf,
  migrate,
  readSettings,
} from "@latchkey/service-kit";
import { createServiceDatabase, type TestDatabase, until } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { type IdentityConfig, readIdentityConfig } from "../config.ts";
import { createRevisionRecords } from "../user-revisions/revision-records.ts";
import { createFieldSets } from "../fields/field-set.ts";
import { createLimits } from "../limits/limits.ts";
import type { Providers } from "../providers/create-providers.ts";
import { chooseSessionStore } from "../sessions/store/choose-session-store.ts";
import type { SessionStore } from "../sessions/store/session-store.ts";
import { createShowSession } from "../sessions/show-session.ts";
import { createActivityTally } from "../statistics/activity-tally.ts";
import type { NewUser } from "../users/queries.ts";
import { createShowUser } from "../users/show-user.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import { type Tables, userColumns } from "./tables.ts";

export const testSecret = "a secret for tests, and for nothing else";
const logger = createLogger({ service: "identity", level: "silent" });
const newTextId = () => randomToken(32, "alphanumeric");

/** Connects to the schema of this service. */
export const connectIdentity = (url: string, max = 10): Kysely<Tables> => {
  const pool = createPostgresPool({ url, max, logger, applicationName: "test" });
  return createDatabase<Tables>({ pool, schema, preparedStatements: true });
};

/** Creates a database with the tables of this service. */
export const createIdentityDatabase = (): Promise<TestDatabase> =>
  createServiceDatabase({
    name: schema,
    folder: import.meta.dirname,
    migrate: async (url) => {
      const db = connectIdentity(url, 1);
      await migrate({ db, schema, migrations });
      await db.destroy();
    },
  });

/** Returns the options of this service, with defaults. */
export const identityConfig = (tree: object = {}): IdentityConfig =>
  readIdentityConfig(
    readSettings({ secret: [testSecret], databaseUrl: "postgres://localhost/any", ...tree }, {}),
  );

/** Creates the deps of most features, with sessions in Postgres. */
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
    db,
    clock,
    activity: createActivityTally({ clock, db }),
    logger,
    revisionRecords,
    urgentEvents: createUrgentEvents(),
    fields,
    limits: createLimits({
      config,
      ring,
      observer: { recordMail: () => {}, recordPasswordTry: () => {} },
    }),
    newId: async () => newTextId(),
    newEventId: newTextId,
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

/** Resolves once a store responds. A store with Redis does not before it knows the server. */
export const untilAnswering = async (store: SessionStore): Promise<void> => {
  await until(() =>
    store.find(hashToken("nobody's")).then(
      () => true,
      () => false,
    ),
  );
};
