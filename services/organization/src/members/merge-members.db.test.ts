import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { mergeMembers, separateMembers, sweepMerges } from "./merge-members.ts";
import { openMembers } from "./test-members.fixture.ts";

expectNoLeaks("file");

const fixture = await openMembers();

/** Creates two users, and the functions that merge and separate them. */
const openPair = () => {
  const [user, merged] = [newPerson(), newPerson()];
  const data = { mergeId: newTextId(), userId: user.user.id, mergedUserId: merged.user.id };
  const event = { id: newTextId(), version: 1, occurredAt: new Date().toISOString(), data };
  return {
    user,
    merged,
    merge: () => mergeMembers(fixture.deps, { ...event, name: "user.merged" }),
    separate: () => separateMembers(fixture.deps, { ...event, name: "user.merge-undone" }),
  };
};

const seed = async (...users: readonly [Person, string][]) => {
  const members = users.map(([person, role]) => ({ person, role }));
  const { organization } = await seedOrganization(fixture.db, members);
  return { organizationId: organization.id };
};

/** Returns the roles of some people in an organization. */
const rolesIn = async (organizationId: string, ...people: readonly Person[]) => {
  const rows = await fixture.db
    .selectFrom("member")
    .select(["userId", "role"])
    .where("organizationId", "=", organizationId)
    .execute();
  return people.map(({ user }) => rows.find(({ userId }) => userId === user.id)?.role);
};

test("hands a membership over with its roles, and back by the undo", async () => {
  const { user, merged, merge, separate } = openPair();
  const { organizationId } = await seed([merged, "owner"]);
  await merge();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["owner", undefined]);
  await separate();
  expect(await rolesIn(organizationId, user, merged)).toEqual([undefined, "owner"]);
});

test("gives a member of the same organization the roles of both, and takes them back by the undo", async () => {
  const { user, merged, merge, separate } = openPair();
  const { organizationId } = await seed([user, "member"], [merged, "owner"]);
  await merge();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["member,owner", undefined]);
  await separate();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["member", "owner"]);
});

test("changes nothing by events that arrive sixteen times, or in the wrong order", async () => {
  const twice = openPair();
  const { organizationId } = await seed([twice.merged, "owner"]);
  await Promise.all(Array.from({ length: 16 }, twice.merge));
  expect(await rolesIn(organizationId, twice.user, twice.merged)).toEqual(["owner", undefined]);
  await Promise.all(Array.from({ length: 16 }, twice.separate));
  await twice.merge();
  expect(await rolesIn(organizationId, twice.user, twice.merged)).toEqual([undefined, "owner"]);
  const swapped = openPair();
  const other = await seed([swapped.merged, "owner"]);
  await swapped.separate();
  await swapped.merge();
  const roles = await rolesIn(other.organizationId, swapped.user, swapped.merged);
  expect(roles).toEqual([undefined, "owner"]);
});

test("keeps records of merges as long as they can be undone", async () => {
  const { merge } = openPair();
  await merge();
  const count = async () =>
    (await fixture.db.selectFrom("userMerge").select("mergeId").execute()).length;
  const before = await count();
  await sweepMerges(fixture.deps);
  expect(await count()).toBe(before);
  await sweepMerges({ ...fixture.deps, clock: () => Date.now() + 3 * 86_400_000 });
  expect(await count()).toBe(0);
});
