import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { openOrganizations } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

const notMember = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
const count = 16;

const fixture = await openOrganizations();

const seedOwned = async () => {
  const person = newPerson();
  const { organization } = await seedOrganization(fixture.db, [{ person, role: "owner" }]);
  return { person, organizationId: organization.id, organization };
};

test("changes only the named fields and replaces metadata as a whole", async () => {
  const { person, organizationId } = await seedOwned();
  const first = { logo: "l.png", metadata: { a: 1, b: { c: 2 } } };
  await fixture.update(person, { organizationId, data: first });
  const changed = await fixture.update(person, {
    organizationId,
    data: { name: "Renamed", metadata: { d: 4 } },
  });
  expect(changed).toMatchObject({ name: "Renamed", logo: "l.png" });
  expect(changed.metadata).toStrictEqual({ d: 4 });
  expect((await fixture.auditOf(organizationId)).at(-1)).toEqual({
    actorKind: "user",
    actorId: person.user.id,
    action: "organization.updated",
    before: { name: "Acme", metadata: "changed" },
    after: { name: "Renamed", metadata: "changed" },
  });
});

test("returns the organization unchanged, without an audit entry, for an empty change", async () => {
  const { person, organizationId, organization } = await seedOwned();
  const { metadata: _, ...row } = organization;
  expect(await fixture.update(person, { organizationId, data: {} })).toEqual(row);
  expect(await fixture.auditOf(organizationId)).toEqual([]);
});

test("changes the session's organization if the request names none", async () => {
  const { person, organizationId } = await seedOwned();
  const data = { name: "Renamed" };
  expect(await outcomeOf(fixture.update(person, { data }))).toBe("ORGANIZATION_NOT_FOUND");
  expect(await outcomeOf(fixture.update(person, { organizationId: "", data }))).toBe(
    "ORGANIZATION_NOT_FOUND",
  );
  const working = newPerson({ id: person.user.id, activeOrganizationId: organizationId });
  expect(await fixture.update(working, { data })).toMatchObject({ id: organizationId, ...data });
});

test.each([
  ["member", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION"],
  ["admin", "done"],
  ["member,admin", "done"],
  ["unknown", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION"],
])("for a member with the role %s: %s", async (role, outcome) => {
  const person = newPerson();
  const seeded = await seedOrganization(fixture.db, [{ person, role }]);
  const organizationId = seeded.organization.id;
  for (const data of [{ name: "Renamed" }, {}])
    expect(await outcomeOf(fixture.update(person, { organizationId, data }))).toBe(outcome);
});

/** Otherwise any signed-in user could rename an organization whose id they know. */
test("refuses an owner of another organization", async () => {
  const { organizationId } = await seedOwned();
  const { person } = await seedOwned();
  const data = { name: "Taken over" };
  expect(await outcomeOf(fixture.update(person, { organizationId, data }))).toBe(notMember);
  expect(await outcomeOf(fixture.update(person, { organizationId: newTextId(), data }))).toBe(
    notMember,
  );
  const rows = fixture.db
    .selectFrom("organization")
    .select("name")
    .where("id", "=", organizationId);
  expect(await rows.execute()).toEqual([{ name: "Acme" }]);
});

test("gives a slug to exactly one of sixteen organizations that request it at once", async () => {
  const owned = await Promise.all(Array.from({ length: count }, seedOwned));
  const slug = newTextId();
  const updates = owned.map(({ person, organizationId }) =>
    fixture.update(person, { organizationId, data: { slug } }),
  );
  expect(await tally(updates)).toEqual({ done: 1, ORGANIZATION_ALREADY_EXISTS: count - 1 });
  expect(await fixture.slugsLike(slug)).toEqual([slug]);
});

test("refuses both of two organizations that take each other's slug at once, without a deadlock", async () => {
  const [one, other] = [await seedOwned(), await seedOwned()];
  const take = (taker: typeof one, from: typeof one) =>
    fixture.update(taker.person, {
      organizationId: taker.organizationId,
      data: { slug: from.organization.slug },
    });
  for (let round = 0; round < 100; round += 1)
    expect(await tally([take(one, other), take(other, one)])).toEqual({
      ORGANIZATION_ALREADY_EXISTS: 2,
    });
});

test("accepts the organization's own slug", async () => {
  const { person, organizationId, organization } = await seedOwned();
  const { slug } = organization;
  expect(await fixture.update(person, { organizationId, data: { slug } })).toMatchObject({ slug });
});

test("refuses a change if the role is lost while the change waits", async () => {
  const { person, organizationId } = await seedOwned();
  const update = await fixture.db.transaction().execute(async (trx) => {
    const locked = trx.selectFrom("organization").select("id").where("id", "=", organizationId);
    await locked.forNoKeyUpdate().execute();
    const waiting = outcomeOf(fixture.update(person, { organizationId, data: { name: "Late" } }));
    const own = trx.updateTable("member").where("userId", "=", person.user.id);
    await own.set({ role: "member" }).execute();
    return { waiting };
  });
  expect(await update.waiting).toBe("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
});
