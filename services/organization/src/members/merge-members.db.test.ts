import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { forgetUser } from "../organizations/forget-user.ts";
import { sweepMerges } from "@latchkey/service-kit/merges";
import { mergeMembers, separateMembers } from "./merge-members.ts";
import { openMembers } from "./test-members.fixture.ts";

expectNoLeaks("file");

const fixture = await openMembers();

/** Creates two users, and the functions that merge and separate them, and that delete the merged one. By default they are new. */
const openPair = ([user, merged] = [newPerson(), newPerson()]) => {
  const data = { mergeId: newTextId(), userId: user.user.id, mergedUserId: merged.user.id };
  const event = { id: newTextId(), version: 1, occurredAt: new Date().toISOString(), data };
  return {
    user,
    merged,
    merge: () => mergeMembers(fixture.deps, event),
    separate: () => separateMembers(fixture.deps, { ...event, name: "user.merge-undone" }),
    forgetMerged: () => {
      const { mergeId, userId, mergedUserId } = data;
      const deleted = { userId: mergedUserId, merge: { mergeId, userId } };
      return forgetUser(fixture.deps, { ...event, name: "user.deleted", data: deleted });
    },
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

/** Attack: the organization expels the user, and the undo brings the merged one back in, as an owner. */
test("restores no membership of which the organization has expelled the user", async () => {
  const { user, merged, merge, separate } = openPair();
  const { organizationId } = await seed(
    [user, "member"],
    [merged, "owner"],
    [newPerson(), "owner"],
  );
  await merge();
  await fixture.db
    .deleteFrom("member")
    .where("organizationId", "=", organizationId)
    .where("userId", "=", user.user.id)
    .execute();
  await separate();
  expect(await rolesIn(organizationId, user, merged)).toEqual([undefined, undefined]);
});

test("restores only the roles that the organization has left", async () => {
  for (const { changed, restored } of [
    { changed: "admin", restored: "admin" },
    { changed: "member", restored: undefined },
  ]) {
    const { user, merged, merge, separate } = openPair();
    const { organizationId } = await seed(
      [user, "member"],
      [merged, "owner,admin"],
      [newPerson(), "owner"],
    );
    await merge();
    await fixture.db
      .updateTable("member")
      .set({ role: changed })
      .where("organizationId", "=", organizationId)
      .where("userId", "=", user.user.id)
      .execute();
    await separate();
    expect(await rolesIn(organizationId, user, merged)).toEqual([changed, restored]);
  }
});

test("waits with a second merge of a user for the undo of the first", async () => {
  const first = openPair();
  const { user, merged } = first;
  const { organizationId } = await seed([merged, "owner"]);
  const second = openPair([user, merged]);
  await first.merge();
  await expect(second.merge()).rejects.toThrow("earlier merge");
  await expect(second.forgetMerged()).rejects.toThrow("earlier merge");
  await first.separate();
  await second.merge();
  await first.merge();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["owner", undefined]);
});

test("merges before a deletion whose merge is late, and not again after it", async () => {
  const { user, merged, merge, forgetMerged } = openPair();
  const { organizationId } = await seed([merged, "owner"]);
  await forgetMerged();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["owner", undefined]);
  await merge();
  await forgetMerged();
  expect(await rolesIn(organizationId, user, merged)).toEqual(["owner", undefined]);
});

test("hands the pending invitations over that a member sent, and back by the undo", async () => {
  const { user, merged, merge, separate } = openPair();
  const { organizationId } = await seed([merged, "owner"]);
  const invite = async (inviter: Person, status: "accepted" | "pending") => {
    const id = newTextId();
    const now = new Date();
    const email = `${id.toLowerCase()}@example.com`;
    const times = { createdAt: now, mailedAt: now, expiresAt: new Date(now.getTime() + 60_000) };
    const row = { id, organizationId, email, role: "member", teamId: null, status, ...times };
    await fixture.db
      .insertInto("invitation")
      .values({ ...row, inviterId: inviter.user.id })
      .execute();
    return id;
  };
  const inviterOf = async (id: string) => {
    const query = fixture.db.selectFrom("invitation").select("inviterId").where("id", "=", id);
    return (await query.executeTakeFirstOrThrow()).inviterId;
  };
  const pending = await invite(merged, "pending");
  const accepted = await invite(merged, "accepted");
  await merge();
  const since = await invite(user, "pending");
  expect(await inviterOf(pending)).toBe(user.user.id);
  expect(await inviterOf(accepted)).toBe(merged.user.id);
  await separate();
  expect(await inviterOf(pending)).toBe(merged.user.id);
  expect(await inviterOf(since)).toBe(user.user.id);
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
