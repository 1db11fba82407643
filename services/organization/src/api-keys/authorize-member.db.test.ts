import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { authorizeMember, findKeyOrganizations, listKeyOrganizationOwners } from "./operations.ts";

expectNoLeaks("file");

const fixture = await openOrganizations();
const deps = fixture.depsWith({
  tree: {
    organization: {
      roles: { owner: { apiKey: ["create", "read"] }, auditor: { apiKey: ["read"] }, guest: {} },
    },
  },
});

/** Replaces the look-up of sessions in identity. */
const withSession = (person: Person, secondFactorAt: string | null, using = deps) => {
  const times = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
  const resolved = {
    session: { ...person.session.session, ...times, expiresAt: times.createdAt },
    user: { ...person.user, ...times },
    authentication: { authenticatedAt: times.createdAt, secondFactorAt, methods: ["password"] },
  };
  const identity = { ...using.identity, call: async () => resolved };
  return { ...using, identity } as unknown as typeof deps; // only `call` is used
};

const verdictOf = async (
  asked: {
    organizationId: string;
    userId: string;
    action: string;
    sessionToken?: string;
    keyHasSecondFactor?: boolean;
  },
  using = deps,
) => {
  const call = callBy(newPerson(), { body: { resource: "apiKey", ...asked } });
  return (await replyOf(authorizeMember(using, call as Parameters<typeof authorizeMember>[1])))
    .verdict;
};

describe("the verdict on a member", () => {
  test("depends on the roles, of which one must allow the action", async () => {
    const [owner, auditor, guest] = [newPerson(), newPerson(), newPerson()];
    const { organization } = await seedOrganization(fixture.db, [
      { person: owner, role: "owner" },
      { person: auditor, role: "guest,auditor" },
      { person: guest, role: "guest" },
    ]);
    const authorize = ({ user }: Person, action: string) =>
      verdictOf({ organizationId: organization.id, userId: user.id, action });
    expect([await authorize(owner, "create"), await authorize(owner, "delete")]).toEqual([
      "allowed",
      "forbidden",
    ]);
    expect([await authorize(auditor, "read"), await authorize(auditor, "create")]).toEqual([
      "allowed",
      "forbidden",
    ]);
    expect(await authorize(guest, "read")).toBe("forbidden");
  });

  test("is the same for a stranger and an unknown organization", async () => {
    const { organization } = await seedOrganization(fixture.db, [
      { person: newPerson(), role: "owner" },
    ]);
    for (const organizationId of [organization.id, newTextId()])
      expect(await verdictOf({ organizationId, userId: newTextId(), action: "read" })).toBe(
        "not a member",
      );
  });

  /** Attack: a thief of an old session manages keys of an organization that requires a second factor. */
  test("requires the second factor of the organization, of sessions and of API keys", async () => {
    const owner = newPerson();
    const { organization } = await seedOrganization(
      fixture.db,
      [{ person: owner, role: "owner" }],
      {
        secondFactorFrom: new Date(Date.now() - 1_000),
      },
    );
    const input = { organizationId: organization.id, userId: owner.user.id, action: "read" };
    const inSession = { ...input, sessionToken: newTextId() };
    expect(await verdictOf(inSession, withSession(owner, null))).toBe("second factor required");
    expect(await verdictOf(inSession, withSession(owner, new Date().toISOString()))).toBe(
      "allowed",
    );
    expect(await verdictOf(input)).toBe("second factor required");
    expect(await verdictOf({ ...input, keyHasSecondFactor: true })).toBe("allowed");
    const gone = { ...deps.identity, call: async () => null };
    await expect(
      verdictOf(inSession, { ...deps, identity: gone } as unknown as typeof deps),
    ).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("needs no call to identity without such a requirement, or before it begins", async () => {
    const owner = newPerson();
    const { organization } = await seedOrganization(
      fixture.db,
      [{ person: owner, role: "owner" }],
      {
        secondFactorFrom: new Date(Date.now() + 60_000),
      },
    );
    const input = { organizationId: organization.id, userId: owner.user.id, action: "read" };
    expect(await verdictOf({ ...input, sessionToken: newTextId() })).toBe("allowed");
  });
});

test("returns the existing organizations among some ids, and the owners of one", async () => {
  const [owner, member] = [newPerson(), newPerson()];
  const { organization } = await seedOrganization(fixture.db, [
    { person: owner, role: "guest,owner" },
    { person: member, role: "guest" },
  ]);
  const { id, name, slug } = organization;
  const call = (body: object) => callBy(newPerson(), { body }) as never;
  const find = (ids: readonly string[]) => replyOf(findKeyOrganizations(deps, call({ ids })));
  expect(await find([id, newTextId()])).toEqual({ organizations: [{ id, name, slug }] });
  const ownersOf = (organizationId: string) =>
    replyOf(listKeyOrganizationOwners(deps, call({ organizationId })));
  expect(await ownersOf(id)).toEqual({ userIds: [owner.user.id] });
  expect(await ownersOf(newTextId())).toEqual({ userIds: null });
});
