import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import type { Caller, FullUser } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import {
  createDatabase,
  createLogger,
  createPostgresPool,
  createServiceClient,
  migrate,
  readSettings,
  type ResolvedSession,
} from "@latchkey/service-kit";
import { createTestDatabase, type TestDatabase } from "@latchkey/testkit";
import type { Insertable, Kysely } from "kysely";
import { inject } from "vitest";
import { type ApiKeyConfig, readApiKeyConfig } from "../config.ts";
import { storedKey } from "../keys/stored-key.ts";
import { createUsageTally } from "../usage/usage-tally.ts";
import { createGuessGuard } from "../verification/guess-guard.ts";
import { createUseKey } from "../verification/use-key.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import type { ApiKeyTable, Tables } from "./tables.ts";

export const testSecret = "a secret for tests, and for nothing else";
const logger = createLogger({ service: schema, level: "silent" });

export const newTextId = () => randomToken(32, "alphanumeric");

/** A connection to the schema of this service. */
export const connectApiKey = (url: string, max = 10): Kysely<Tables> => {
  const pool = createPostgresPool({ url, max, logger, applicationName: "test" });
  return createDatabase<Tables>({ pool, schema, preparedStatements: true });
};

const schemaHash = async (): Promise<string> => {
  const hash = createHash("sha256");
  const kitTables = new URL("database/kit-tables.ts", import.meta.resolve("@latchkey/service-kit"));
  hash.update(await readFile(kitTables));
  for await (const file of glob("*migration*.ts", { cwd: import.meta.dirname }))
    hash.update(await readFile(`${import.meta.dirname}/${file}`));
  return hash.digest("hex").slice(0, 16);
};

/** A database of its own with the tables of this service. */
export const createApiKeyDatabase = async (): Promise<TestDatabase> =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: {
      name: "apikey",
      hash: await schemaHash(),
      build: async (url) => {
        const db = connectApiKey(url, 1);
        await migrate({ db, schema, migrations });
        await db.destroy();
      },
    },
  });

/** The options of this service, defaults filled in. */
export const apiKeyConfig = (tree: object = {}): ApiKeyConfig =>
  readApiKeyConfig(
    readSettings({ secret: [testSecret], databaseUrl: "postgres://localhost/any", ...tree }, {}),
  );

/** What features work with, where nobody answers for identity. */
export const createTestDeps = (
  db: Kysely<Tables>,
  { tree = {}, clock = Date.now }: { tree?: object; clock?: () => number } = {},
) => {
  const ring = createSecretRing([testSecret]);
  const config = apiKeyConfig(tree);
  return {
    config,
    db,
    clock,
    logger,
    ring,
    newId: async () => newTextId(),
    newEventId: newTextId,
    useKey: createUseKey({ clock, config, db }),
    guesses: createGuessGuard({ clock, config }),
    usage: createUsageTally({ clock, db }),
    identity: createServiceClient({ to: "http://127.0.0.1:1", from: schema, ring, clock }),
    wakeRelay: () => {},
  };
};

/** A signed-in user as the gateway vouches for them, and who calls in their session. */
export interface Person {
  user: FullUser;
  caller: Caller;
  session: ResolvedSession;
}

/** Somebody new. */
export const newPerson = (given: Partial<FullUser> = {}): Person => {
  const id = given.id ?? newTextId();
  const now = new Date();
  const user: FullUser = {
    id,
    name: "Ada",
    email: `${id.toLowerCase()}@example.com`,
    emailVerified: true,
    image: null,
    createdAt: now,
    updatedAt: now,
    role: "user",
    ...given,
  };
  const token = newTextId();
  const session = {
    id: newTextId(),
    token,
    userId: id,
    expiresAt: new Date(now.getTime() + 86_400_000),
    createdAt: now,
    updatedAt: now,
    ipAddress: "",
    userAgent: "",
  };
  const caller: Caller = {
    requestId: newTextId(),
    operation: "any",
    baseUrl: "http://localhost/api/auth",
    address: "192.0.2.1",
    userAgent: "A browser/1.0",
    sessionToken: token,
  };
  return { user, caller, session: { session, user } };
};

/** An internal service that calls. */
export const serviceCaller = (service = "billing"): Caller => ({
  requestId: newTextId(),
  operation: "any",
  baseUrl: "",
  address: "192.0.2.2",
  userAgent: "",
  service,
});

/** Writes a key without any limit, but for what is given; gives its id and its text. */
export const seedKey = async (
  db: Kysely<Tables>,
  given: Partial<Insertable<ApiKeyTable>> = {},
): Promise<{ id: string; key: string; userId: string }> => {
  const key = randomToken(64, "letters");
  const now = new Date();
  const row = {
    id: newTextId(),
    key: storedKey({ disableKeyHashing: false }, key),
    userId: newTextId(),
    enabled: true,
    disabledByAdmin: false,
    rateLimitEnabled: false,
    requestCount: 0,
    createdAt: now,
    updatedAt: now,
    ...given,
  };
  await db.insertInto("apiKey").values(row).execute();
  return { id: row.id, key, userId: row.userId };
};
