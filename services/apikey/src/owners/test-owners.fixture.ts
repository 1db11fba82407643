import { afterAll } from "vitest";
import type { Event } from "@latchkey/contracts";
import type { Insertable, Kysely } from "kysely";
import type { ApiKeyTable, Tables } from "../db/tables.ts";
import {
  createTestDeps,
  newTextId,
  openApiKeyDatabase,
  seedKey,
} from "../db/test-apikey.fixture.ts";
import { storedKey } from "../keys/key-text.ts";

const event = { version: 1, occurredAt: "2030-01-02T03:04:05.678Z" };

/** A key that a user adds in a session of a certain age. */
export const addingIn = (userId: string, createdAt: Date) => ({
  owner: { userId },
  by: { session: { createdAt }, user: { id: userId } },
});

/** Builds the event of a ban, permanent by default. */
export const banOf = (
  userId: string,
  given: Partial<Event<"user.ban-changed">["data"]>,
): Event<"user.ban-changed"> => ({
  ...event,
  id: newTextId(),
  name: "user.ban-changed",
  data: { userId, revision: 1, banned: true, banExpires: null, ...given },
});

/** Builds the event that the verified owner of an address claimed the user. */
export const claimOf = (userId: string, occurredAt: Date): Event<"user.claimed"> => ({
  ...event,
  occurredAt: occurredAt.toISOString(),
  id: newTextId(),
  name: "user.claimed",
  data: { userId },
});

/** Builds the event that a user was deleted. */
export const deletionOf = (userId: string): Event<"user.deleted"> => ({
  ...event,
  id: newTextId(),
  name: "user.deleted",
  data: { userId },
});

/** Opens a database for sixteen concurrent callers, with a clock that tests set. `tree` holds options. */
export const openOwners = async (tree: object = {}) => {
  const { db } = await openApiKeyDatabase(20);
  let now = Date.now();
  const deps = createTestDeps(db, { tree, clock: () => now });
  afterAll(() => deps.close());
  return {
    db,
    deps,
    setClock: (time: number) => {
      now = time;
    },
    /** Inserts a key. Returns the values for reading its state later. */
    seed: async (given: Partial<Insertable<ApiKeyTable>> = {}, using: Kysely<Tables> = db) => {
      const { id, key, userId } = await seedKey(using, given);
      const keyUse = { key: storedKey(deps.config.apiKey, key), permissions: null };
      const use = async () => (await deps.useKey({ ...keyUse, passesUnrestricted: true })).outcome;
      return { id, userId, organizationId: null, use };
    },
    keysOf: async (userId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom("apiKey")
        .select("id")
        .where("userId", "=", userId)
        .execute();
      return rows.map(({ id }) => id);
    },
    /** Returns the audit entries of deleted keys of a user. */
    deletionsOf: async (userId: string) => {
      const rows = await db
        .selectFrom("audit")
        .select(["actorKind", "subjectId", "action", "before", "after"])
        .orderBy("id")
        .execute();
      return rows.filter(({ before }) => before?.["userId"] === userId);
    },
  };
};
