import { hash } from "node:crypto";
import { namesOf, type SourceBatch } from "@latchkey/service-kit";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { type GivenUser, importedColumns } from "./given.ts";
import { importUsers } from "./import-users.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();

const noValues = Object.fromEntries(
  namesOf(importedColumns.user).map((name) => [name, null]),
) as Record<keyof typeof importedColumns.user, null>;

const ada: GivenUser = {
  ...noValues,
  id: "ada",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  role: "user",
  createdAt: clock.now(),
  updatedAt: clock.now(),
  extra: {},
};

const hashOf = (values: object) =>
  hash("md5", JSON.stringify(values)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** A source database with one user. */
const batchOf = (values: GivenUser): SourceBatch<GivenUser> => {
  const row = { key: values.id, hash: hashOf(values), values };
  return {
    source: "there",
    model: "user",
    after: "",
    upTo: undefined,
    rows: [row],
    load: async () => [row],
    isLeft: () => false,
    isDryRun: false,
    claim: () => true,
  };
};

test("bans an imported user in every snapshot here, even if the run ends before it has renewed them", async () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
  await importUsers(deps, batchOf(ada));
  const dying = {
    ...deps,
    sessions: {
      ...deps.sessions,
      storesUserSnapshots: true,
      renewUser: () => Promise.reject(new Error("killed")),
    },
  };
  await expect(importUsers(dying, batchOf({ ...ada, banned: true }))).rejects.toThrow("killed");
  // The consumer of this event renews the snapshots.
  const told = db.selectFrom("outbox").select("data").where("name", "=", "user.updated");
  expect((await told.execute()).map(({ data }) => JSON.parse(data) as unknown)).toEqual([
    { userId: ada.id },
  ]);
  const again = await importUsers(deps, batchOf({ ...ada, banned: true }));
  expect(again).toMatchObject({ changed: 0, same: 1 });
});
