import type { Caller } from "@latchkey/contracts";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import { createServiceClient } from "@latchkey/service-kit/http";
import { serviceFixture, testSecret } from "@latchkey/testkit";
import type { Insertable, Kysely } from "kysely";
import { type ApiKeyConfig, readApiKeyConfig } from "../config.ts";
import { storedKey } from "../keys/key-text.ts";
import { createUsageTally } from "../usage/usage-tally.ts";
import { createGuessGuard } from "../verification/guess-guard.ts";
import { createUseKey } from "../verification/use-key.ts";
import { migrations } from "./migrations.ts";
import { type ApiKeyTable, schema, type Tables } from "./tables.ts";

export const newTextId = () => randomToken(32, "alphanumeric");

const fixture = serviceFixture<Tables, ApiKeyConfig>({
  schema,
  folder: import.meta.dirname,
  migrations,
  readConfig: readApiKeyConfig,
});
export const { connect: connectApiKey, create: createApiKeyDatabase } = fixture;
export const { open: openApiKeyDatabase, configOf: apiKeyConfig } = fixture;

/** Creates the dependencies of the features. Calls to other services are refused. */
export const createTestDeps = (
  db: Kysely<Tables>,
  { tree = {}, clock = Date.now }: { tree?: object; clock?: () => number } = {},
) => {
  const ring = createSecretRing([testSecret]);
  const config = apiKeyConfig(tree);
  const createClient = () =>
    createServiceClient({ to: ["http://127.0.0.1:1"], from: schema, ring, clock });
  const [identity, organization] = [createClient(), createClient()];
  return {
    config,
    schema,
    db,
    clock,
    logger: fixture.logger,
    ring,
    newId: async () => newTextId(),
    newEventId: newTextId,
    useKey: createUseKey({ clock, config, db }),
    countUse: () => {},
    guesses: createGuessGuard({ clock, config }),
    usage: createUsageTally({ clock, db }),
    identity,
    organization,
    close: () => Promise.all([identity.close(), organization.close()]),
    wakeRelay: () => {},
  };
};

/** Returns the caller of an internal service. */
export const serviceCaller = (service = "billing"): Caller => ({
  requestId: newTextId(),
  operation: "any",
  baseUrl: "",
  address: "192.0.2.2",
  userAgent: "",
  service,
});

/** Inserts a key with no limits other than the given ones. Returns its id and its text. */
export const seedKey = async (
  db: Kysely<Tables>,
  given: Partial<Insertable<ApiKeyTable>> = {},
): Promise<{ id: string; key: string; userId: string }> => {
  const key = randomToken(64, "letters");
  const now = new Date();
  const userId = newTextId();
  const row = {
    id: newTextId(),
    key: storedKey({ disableKeyHashing: false }, key),
    userId,
    enabled: true,
    disabledByAdmin: false,
    lifetimeLocked: false,
    rateLimitEnabled: false,
    requestCount: 0,
    createdAt: now,
    updatedAt: now,
    ...given,
  };
  await db.insertInto("apiKey").values(row).execute();
  return { id: row.id, key, userId: row.userId ?? userId };
};
