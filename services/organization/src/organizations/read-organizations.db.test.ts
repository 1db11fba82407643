import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import {
  checkSlug,
  getFullOrganization,
  hasMemberPermission,
  hasOrganizationPermission,
  listOrganizations,
  setActiveOrganization,
} from "./operations.ts";
import { mailedIdOf } from "../invitations/invitation-ids.ts";
import { readFullOrganization } from "./read-full-organization.ts";
import { callBy, openOrganizations, replyOf } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
const notMember = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";

const fixture = await openOrganizations();

const second = (number: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, number));

describe("the full view", () => {
  test("lists members, invitations and teams oldest first, as they were written", async () => {
    const person = newPerson();
    const other = newPerson();
    const { organization, memberOf } = await seedOrganization(
      fixture.db,
      [
        { person, role: "owner" },
        { person: other, role: "admin,member" },
      ],
      { metadata: '{"a": 1}', logo: "l.png" },
    );
    const organizationId = organization.id;
    const teams = [second(2), second(1)].map((createdAt, index) => ({
      id: newTextId(),
      name: `Team ${index}`,
      organizationId,
      createdAt,
      updatedAt: index ? second(9) : null,
    }));
    await fixture.db.insertInto("team").values(teams).execute();
    const invitations = (["accepted", "pending"] as const).map((status, index) => ({
      id: newTextId(),
      organizationId,
      email: `bob${index}@example.com`,
      role: "member",
      teamId: teams[0]?.id ?? null,
      status,
      expiresAt: second(30),
      inviterId: person.user.id,
    }));
    await fixture.db
      .insertInto("invitation")
      .values(
        invitations.map((invitation, index) => ({
          ...invitation,
          createdAt: second(10 - index),
          mailedAt: second(10 - index),
        })),
      )
      .execute();
    const deps = fixture.depsWith({ tree: { organization: { teams: { enabled: true } } } });
    const full = {
      ...organization,
      members: [memberOf(person), memberOf(other)],
      invitations: invitations.toReversed(),
      teams: teams.toReversed(),
    };
    const mailed = full.invitations.map((row) => ({ ...row, id: mailedIdOf(deps.ring, row) }));
    const forOther = full.invitations.map((row, index) =>
      row.status === "pending" ? row : mailed[index],
    );
    const seenBy = (reader: Person) =>
      readFullOrganization(deps, { id: organizationId }, { acting: reader });
    expect(await seenBy(person)).toEqual({ ...full, invitations: mailed });
    expect(await seenBy(other)).toEqual({ ...full, invitations: forOther });
    expect(await readFullOrganization(deps, { slug: organization.slug })).toEqual(full);
    await fixture.db.updateTable("member").set({ role: "member" }).execute();
    const [pending, accepted] = (await seenBy(person))?.invitations ?? [];
    expect(accepted).toEqual(mailed[1]);
    expect(pending).toEqual({ ...mailed[0], id: expect.any(String) });
    for (const { id } of [full.invitations[0]!, mailed[0]!]) expect(pending?.id).not.toBe(id);
    const without = await readFullOrganization(fixture.deps, { id: organizationId });
    expect(without?.teams).toBeNull();
    for (const row of [...(without?.members ?? []), ...(without?.invitations ?? [])])
      expect(row).not.toHaveProperty("teamId");
  });

  test("accepts a member beyond those listed", async () => {
    const users = Array.from({ length: 1_000 }, () => newPerson());
    const { organization } = await seedOrganization(
      fixture.db,
      users.map((person) => ({ person, role: "member" })),
    );
    const last = users.at(-1) as Person;
    const full = await readFullOrganization(
      fixture.deps,
      { id: organization.id },
      { acting: last },
    );
    expect(full?.members.map(({ userId }) => userId)).toEqual(
      users.slice(0, 100).map(({ user }) => user.id),
    );
    const deps = fixture.depsWith({ tree: { organization: { membershipLimit: 1_000 } } });
    const whole = await readFullOrganization(deps, { id: organization.id }, { acting: last });
    expect(whole?.members).toHaveLength(1_000);
  });

  test("lists the newest of very many invitations, oldest first", async () => {
    const person = newPerson();
    const { organization } = await seedOrganization(fixture.db, [{ person, role: "owner" }]);
    const ids = Array.from({ length: 150 }, (_, index) => `${newTextId()}${1_000 + index}`);
    await fixture.db
      .insertInto("invitation")
      .values(
        ids.map((id, index) => ({
          id,
          organizationId: organization.id,
          email: "bob@example.com",
          role: "member",
          teamId: null,
          status: "canceled" as const,
          expiresAt: second(0),
          inviterId: person.user.id,
          createdAt: second(index),
          mailedAt: second(index),
        })),
      )
      .execute();
    const full = await readFullOrganization(fixture.deps, { id: organization.id });
    expect(full?.invitations.map(({ id }) => id)).toEqual(ids.slice(50));
  });
});

describe("read access", () => {
  const look = (person: Person, query: Call<Operations["getFullOrganization"]>["query"]) =>
    replyOf(getFullOrganization(fixture.deps, callBy(person, { query })));
  const choose = (person: Person, body: Call<Operations["setActiveOrganization"]>["body"]) =>
    replyOf(setActiveOrganization(fixture.deps, callBy(person, { body })));

  test("returns null if neither the request nor the session names an organization", async () => {
    expect(await look(newPerson(), {})).toBeNull();
    expect(await look(newPerson(), { organizationId: "", organizationSlug: "" })).toBeNull();
    expect(await choose(newPerson(), {})).toBeNull();
    expect(await choose(newPerson(), { organizationId: null })).toBeNull();
  });

  /** Otherwise any signed-in user could read who belongs to an organization. */
  test("refuses a stranger by id, slug and session", async () => {
    const { organization } = await seedOrganization(fixture.db, [
      { person: newPerson(), role: "owner" },
    ]);
    const { id, slug } = organization;
    for (const which of [
      { organizationId: id },
      { organizationSlug: slug },
      { organizationId: newTextId() },
      { organizationSlug: newTextId() },
    ])
      for (const reach of [look, choose])
        await expect(reach(newPerson(), which)).rejects.toMatchObject({
          code: notMember,
          status: 403,
        });
    const working = newPerson({ activeOrganizationId: id });
    await expect(look(working, {})).rejects.toMatchObject({ code: notMember, status: 403 });
  });

  test("prefers the slug to the id, and the id to the session's organization", async () => {
    const person = newPerson();
    const { organization } = await seedOrganization(fixture.db, [{ person, role: "owner" }]);
    const working = newPerson({ id: person.user.id, activeOrganizationId: organization.id });
    expect(await outcomeOf(look(working, { organizationId: newTextId() }))).toBe(notMember);
    const both = { organizationId: organization.id, organizationSlug: newTextId() };
    expect(await outcomeOf(look(working, both))).toBe(notMember);
  });
});

describe("the list", () => {
  const list = (person: Person) => replyOf(listOrganizations(fixture.deps, callBy(person, {})));

  test("contains only the caller's organizations, oldest first", async () => {
    const person = newPerson();
    expect(await list(person)).toEqual([]);
    await seedOrganization(fixture.db, [{ person: newPerson(), role: "owner" }]);
    const seeded = [];
    for (const [index, metadata] of ['{"a": 1}', null].entries()) {
      const { organization } = await seedOrganization(fixture.db, [{ person, role: "member" }], {
        metadata,
      });
      const { id } = organization;
      const createdAt = second(9 - index);
      await sql`update organization.organization set created_at = ${createdAt} where id = ${id}`.execute(
        fixture.db,
      );
      seeded.push({ ...organization, createdAt });
    }
    expect(await list(person)).toStrictEqual(seeded.toReversed());
  });
});

test("reports a slug as free until an organization has exactly that slug", async () => {
  const check = (slug: string) =>
    replyOf(checkSlug(fixture.deps, callBy(newPerson(), { body: { slug } })));
  const slug = newTextId();
  expect(await check(`a${slug}`)).toEqual({ status: true });
  await fixture.create(newPerson(), { slug: `a${slug}` });
  expect(await outcomeOf(check(`a${slug}`))).toBe("SLUG_IS_TAKEN");
  expect(await check(`A${slug}`)).toEqual({ status: true });
  expect(await check(`a${slug} `)).toEqual({ status: true });
});

describe("permissions", () => {
  type Body = Call<Operations["hasOrganizationPermission"]>["body"];
  const checkPermission = (person: Person, body: Body) =>
    replyOf(hasOrganizationPermission(fixture.deps, callBy(person, { body })));

  test.each([
    ["owner", { organization: ["update", "delete"] }, true],
    ["admin", { organization: ["update"] }, true],
    ["admin", { organization: ["update", "delete"] }, false],
    ["admin", { member: ["create"], invitation: ["cancel"] }, true],
    ["admin", { member: ["create"], organization: ["delete"] }, false],
    ["member", { member: [] }, true],
    ["member", { member: ["create"] }, false],
    ["member,admin", { team: ["delete"] }, true],
    ["member,unknown", { team: ["delete"] }, false],
    ["owner", { unknown: [] }, false],
    ["owner", { toString: [] }, false],
    ["owner", {}, false],
  ])("the role %s, asked for %j, answers %j", async (role, permissions, success) => {
    const person = newPerson();
    const { organization } = await seedOrganization(fixture.db, [{ person, role }]);
    const organizationId = organization.id;
    const verdict = { error: null, success };
    expect(await checkPermission(person, { organizationId, permissions })).toEqual(verdict);
    const working = newPerson({ id: person.user.id, activeOrganizationId: organizationId });
    expect(await checkPermission(working, { permission: permissions })).toEqual(verdict);
  });

  test("answers a service for any member, with any one of several permissions", async () => {
    const person = newPerson();
    const { organization } = await seedOrganization(fixture.db, [{ person, role: "admin" }]);
    const about = { organizationId: organization.id, userId: person.user.id };
    type Asked = Omit<Call<Operations["hasMemberPermission"]>["body"], keyof typeof about>;
    const mayDo = async (asked: Asked, member = about) => {
      const call = { body: { ...asked, ...member } };
      const { caller } = person;
      const { success } = await replyOf(
        hasMemberPermission(fixture.deps, {
          ...call,
          caller,
          session: undefined,
          params: undefined,
          query: undefined,
        }),
      );
      return success;
    };
    const deleting = ["delete"];
    expect(await mayDo({ permissions: { organization: deleting, member: deleting } })).toBe(false);
    expect(
      await mayDo({ permissions: { organization: deleting, member: deleting }, connector: "OR" }),
    ).toBe(true);
    const either = { actions: ["update", "delete"], connector: "OR" as const };
    expect(await mayDo({ permission: { organization: either } })).toBe(true);
    const elsewhere = await seedOrganization(fixture.db, [{ person: newPerson(), role: "owner" }]);
    for (const wrong of [{ userId: newTextId() }, { organizationId: elsewhere.organization.id }])
      await expect(
        mayDo({ permissions: { member: [] } }, { ...about, ...wrong }),
      ).rejects.toMatchObject({ code: notMember, status: 401 });
  });

  test("distinguishes a stranger from a request without an organization", async () => {
    const { organization } = await seedOrganization(fixture.db, [
      { person: newPerson(), role: "owner" },
    ]);
    const permissions = { member: [] };
    for (const organizationId of [organization.id, newTextId()])
      await expect(
        checkPermission(newPerson(), { organizationId, permissions }),
      ).rejects.toMatchObject({
        code: notMember,
        status: 401,
      });
    expect(await outcomeOf(checkPermission(newPerson(), { permissions }))).toBe(
      "NO_ACTIVE_ORGANIZATION",
    );
  });
});
