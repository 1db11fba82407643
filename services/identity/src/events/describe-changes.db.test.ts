import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { createDescribeChanges } from "./describe-changes.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(2);
const user = { additionalFields: { plan: { type: "string", required: false } } } as const;
const config = identityConfig({ user });
const describe = createDescribeChanges(createTestDeps({ config, db, clock: Date.now }));

const changeOf = (subjectId: string, action: string, after: Record<string, unknown> | null) => ({
  action,
  after,
  before: null,
  occurredAt: new Date(),
  subjectId,
  subjectKind: "user",
});

test("users in events carry additional fields and the revision", async () => {
  const { id } = await seedUser(db);
  await db
    .updateTable("user")
    .set({ extra: JSON.stringify({ plan: "pro" }) })
    .where("id", "=", id)
    .execute();
  const changes = [changeOf(id, "user.updated", { extra: { plan: "pro" } })];
  const [events = []] = await describe(db, changes);
  expect(events).toMatchObject([
    {
      type: "user.updated",
      data: { userId: id, changes: ["plan"], user: { plan: "pro", revision: expect.any(Number) } },
    },
  ]);
});

test.each([
  [
    ["password", "secondFactor"],
    ["user.password-changed", "two-factor.disabled"],
  ],
  [["accounts", "passkeys"], []],
])("a claim that ended %j tells %j", async (ended, told) => {
  const { id } = await seedUser(db);
  const [events = []] = await describe(db, [changeOf(id, "user.claimed", { ended })]);
  expect(events.map(({ type }) => type)).toEqual(told);
});

test("an action of another version is no event", async () => {
  expect(await describe(db, [changeOf("u", "user.unknown", null)])).toEqual([[]]);
});
