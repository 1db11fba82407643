import type { Event } from "@latchkey/contracts";
import type { Insertable } from "kysely";
import type { ApiKeyTable } from "../db/tables.ts";
import {
  connectApiKey,
  createApiKeyDatabase,
  createTestDeps,
  newTextId,
  seedKey,
} from "../db/test-apikey.fixture.ts";
import { storedKey } from "../keys/stored-key.ts";

const event = { version: 1, occurredAt: "2030-01-02T03:04:05.678Z" };

/** News of how a ban stands, for good where nothing else is said. */
export const banOf = (
  userId: string,
  given: Partial<Event<"user.ban-changed">["data"]>,
): Event<"user.ban-changed"> => ({
  ...event,
  id: newTextId(),
  name: "user.ban-changed",
  data: { userId, revision: 1, banned: true, banExpires: null, ...given },
});

/** News that a user has ceased to exist. */
export const deletionOf = (userId: string): Event<"user.deleted"> => ({
  ...event,
  id: newTextId(),
  name: "user.deleted",
  data: { userId },
});

/** A database with room for sixteen at once, with a clock that is set by hand. */
export const openOwners = async () => {
  const database = await createApiKeyDatabase();
  const db = connectApiKey(database.url, 20);
  let now = Date.now();
  const deps = createTestDeps(db, { clock: () => now });
  return {
    db,
    deps,
    setClock: (time: number) => {
      now = time;
    },
    /** Writes a key; gives what is needed to see what becomes of it. */
    seed: async (given: Partial<Insertable<ApiKeyTable>> = {}) => {
      const { id, key, userId } = await seedKey(db, given);
      const asked = { key: storedKey(deps.config.apiKey, key), permissions: null };
      const use = async () => (await deps.useKey({ ...asked, passesUnrestricted: true })).outcome;
      return { id, userId, use };
    },
    keysOf: async (userId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom("apiKey")
        .select("id")
        .where("userId", "=", userId)
        .execute();
      return rows.map(({ id }) => id);
    },
    /** What the audit tells of deletions of keys of a user. */
    deletionsOf: async (userId: string) => {
      const rows = await db
        .selectFrom("audit")
        .select(["actorKind", "subjectId", "action", "before", "after"])
        .orderBy("id")
        .execute();
      return rows.filter(({ before }) => before?.["userId"] === userId);
    },
    close: async () => {
      await deps.identity.close();
      await db.destroy();
      await database.drop();
    },
  };
};
export type OpenedOwners = Awaited<ReturnType<typeof openOwners>>;
