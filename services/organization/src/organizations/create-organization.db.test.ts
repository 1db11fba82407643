import type { NewOrganization, OrganizationRow } from "@latchkey/contracts";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { createOrganizationFor } from "./operations.ts";
import { openOrganizations } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

const exists = "ORGANIZATION_ALREADY_EXISTS";
const notAllowed = "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION";
const tooMany = "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS";
const count = 16;

const fixture = await openOrganizations();

const newSlug = () => newTextId().toLowerCase();

const rowsOf = async (slug: string) => ({
  organizations: await fixture.slugsLike(slug),
  members: await fixture.db.selectFrom("member").select("userId").execute(),
});

test("returns a new organization with its creator as the owner", async () => {
  const person = newPerson();
  const slug = newSlug();
  const metadata = { plan: { seats: 3 }, emptyText: "" };
  const created = await fixture.create(person, { name: "Acme", slug, logo: "l.png", metadata });
  expect(created).toStrictEqual({
    id: expect.any(String),
    name: "Acme",
    slug,
    logo: "l.png",
    createdAt: expect.any(Date),
    metadata,
    members: [
      {
        id: expect.any(String),
        organizationId: created.id,
        userId: person.user.id,
        role: "owner",
        createdAt: created.createdAt,
      },
    ],
  });
  const actor = { actorKind: "user", actorId: person.user.id, before: null };
  expect(await fixture.auditOf(created.id)).toEqual([
    { ...actor, action: "organization.created", after: { name: "Acme", slug } },
    { ...actor, action: "member.added", after: expect.objectContaining({ role: "owner" }) },
  ]);
});

test("stores missing fields as null and leaves out missing metadata", async () => {
  const created = await fixture.create(newPerson(), { slug: newSlug() });
  expect(created.logo).toBeNull();
  expect(created).not.toHaveProperty("metadata");
});

test("records the admin as the actor for an impersonated user", async () => {
  const person = newPerson();
  person.session.session.impersonatedBy = "the-admin";
  const { id } = await fixture.create(person, { slug: newSlug() });
  expect((await fixture.auditOf(id)).map(({ actorId }) => actorId)).toEqual([
    "the-admin",
    "the-admin",
  ]);
});

test("creates nothing for a service that names no user", async () => {
  const { caller } = newPerson();
  const slug = newSlug();
  for (const userId of [undefined, ""]) {
    const call = {
      caller: { ...caller, service: "billing" },
      body: { name: "Acme", slug, userId },
    };
    expect(
      await outcomeOf(
        createOrganizationFor(fixture.deps, call as Parameters<typeof createOrganizationFor>[1]),
      ),
    ).toBe("UNAUTHORIZED");
  }
  expect(await fixture.slugsLike(slug)).toEqual([]);
});

describe("slugs", () => {
  test("gives a slug to exactly one of sixteen concurrent creators", async () => {
    for (let round = 0; round < 5; round += 1) {
      const slug = newSlug();
      const creates = Array.from({ length: count }, () => fixture.create(newPerson(), { slug }));
      expect(await tally(creates)).toEqual({ done: 1, [exists]: count - 1 });
      expect(await fixture.slugsLike(slug)).toEqual([slug]);
    }
  });

  test("validates a slug that the application sets like a requested one", async () => {
    const takenSlug = newSlug();
    await fixture.create(newPerson(), { slug: takenSlug });
    const deps = fixture.depsWith({
      tree: {
        organization: {
          organizationCreation: { beforeCreate: () => ({ data: { slug: takenSlug } }) },
        },
      },
    });
    const slug = newSlug();
    expect(await outcomeOf(fixture.create(newPerson(), { slug }, deps))).toBe(exists);
    expect(await fixture.slugsLike(slug)).toEqual([]);
  });

  test("distinguishes slugs by case", async () => {
    const slug = newSlug();
    await fixture.create(newPerson(), { slug: `a${slug}` });
    expect((await fixture.create(newPerson(), { slug: `A${slug}` })).slug).toBe(`A${slug}`);
  });
});

describe("permission to create", () => {
  const withOptions = (organization: object) => fixture.depsWith({ tree: { organization } });

  test.each([
    ["an option", { allowUserToCreateOrganization: false }],
    ["a function", { allowUserToCreateOrganization: async () => false }],
    ["the switch that disables creation", { organizationCreation: { disabled: true } }],
  ])("%s forbids it", async (_kind, organization) => {
    const created = fixture.create(newPerson(), { slug: newSlug() }, withOptions(organization));
    expect(await outcomeOf(created)).toBe(notAllowed);
  });

  test("passes the user to the application's functions", async () => {
    const calls: string[] = [];
    const deps = withOptions({
      allowUserToCreateOrganization: ({ id }: { id: string }) => calls.push(`allow ${id}`) > 0,
      organizationLimit: async ({ id }: { id: string }) => calls.push(`limit ${id}`) > 2,
    });
    const person = newPerson();
    const { id } = person.user;
    expect(await outcomeOf(fixture.create(person, { slug: newSlug() }, deps))).toBe("done");
    expect(calls).toEqual([`allow ${id}`, `limit ${id}`]);
    expect(await outcomeOf(fixture.create(person, { slug: newSlug() }, deps))).toBe(tooMany);
  });

  test("creates one organization for sixteen requests of a user who may have one", async () => {
    const deps = withOptions({ organizationLimit: 1 });
    for (let round = 0; round < 5; round += 1) {
      const person = newPerson();
      const creates = Array.from({ length: count }, () =>
        fixture.create(person, { slug: newSlug() }, deps),
      );
      expect(await tally(creates)).toEqual({ done: 1, [tooMany]: count - 1 });
    }
  });

  test("counts memberships in others' organizations, and a limit of 0 allows none", async () => {
    const person = newPerson();
    await seedOrganization(fixture.db, [{ person, role: "member" }]);
    const slug = newSlug();
    expect(
      await outcomeOf(fixture.create(person, { slug }, withOptions({ organizationLimit: 1 }))),
    ).toBe(tooMany);
    const none = withOptions({ organizationLimit: 0 });
    expect(await outcomeOf(fixture.create(newPerson(), { slug }, none))).toBe(tooMany);
  });

  test("refuses in the order: not allowed, too many, slug taken", async () => {
    const slug = newSlug();
    const person = newPerson();
    await fixture.create(person, { slug });
    const limited = { organizationLimit: 1 };
    const forbidden = { ...limited, allowUserToCreateOrganization: false };
    expect(await outcomeOf(fixture.create(person, { slug }, withOptions(forbidden)))).toBe(
      notAllowed,
    );
    expect(await outcomeOf(fixture.create(person, { slug }, withOptions(limited)))).toBe(tooMany);
    expect(await outcomeOf(fixture.create(person, { slug }))).toBe(exists);
  });

  test("creates nothing for a deleted user", async () => {
    const person = newPerson();
    const slug = newSlug();
    const departed = { userId: person.user.id, departedAt: new Date() };
    await fixture.db.insertInto("departedUser").values(departed).execute();
    expect(await outcomeOf(fixture.create(person, { slug }))).toBe("UNAUTHORIZED");
    expect(await fixture.slugsLike(slug)).toEqual([]);
  });
});

describe("functions of the application", () => {
  test("lets the one before override members, and passes the stored rows to the one after", async () => {
    const calls: unknown[] = [];
    const deps = fixture.depsWith({
      tree: {
        organization: {
          organizationCreation: {
            beforeCreate: (data: { organization: NewOrganization }, request: unknown) => {
              calls.push({ ...data.organization }, request);
              return { data: { name: "Renamed", logo: null, metadata: { by: "hook" } } };
            },
            afterCreate: (data: unknown) => calls.push(data),
          },
        },
      },
    });
    const person = newPerson();
    const slug = newSlug();
    const created = await fixture.create(person, { name: "Acme", slug, logo: "l.png" }, deps);
    const { members, metadata, ...organization } = created;
    expect(created).toMatchObject({ name: "Renamed", slug, logo: null, metadata: { by: "hook" } });
    const { baseUrl, address, userAgent } = person.caller;
    expect(calls).toStrictEqual([
      {
        name: "Acme",
        slug,
        logo: "l.png",
        metadata: undefined,
        createdAt: created.createdAt,
      },
      { baseURL: baseUrl, address, userAgent },
      {
        organization: { ...organization, metadata: JSON.stringify(metadata) },
        member: members[0],
        user: person.user,
      },
    ]);
  });

  test("stores nothing if the one before throws", async () => {
    const thrower = async () => {
      throw new Error("no");
    };
    for (const organization of [
      { organizationCreation: { beforeCreate: thrower } },
      { teams: { enabled: true, defaultTeam: { customCreateDefaultTeam: thrower } } },
      { allowUserToCreateOrganization: thrower },
      { organizationLimit: thrower },
    ]) {
      const slug = newSlug();
      const before = await rowsOf(slug);
      const deps = fixture.depsWith({ tree: { organization } });
      await expect(fixture.create(newPerson(), { slug }, deps)).rejects.toThrow("no");
      expect(await rowsOf(slug)).toEqual(before);
    }
  });
});

describe("the default team", () => {
  const teamsOf = (organizationId: string) =>
    fixture.db
      .selectFrom("team")
      .select(["id", "name", "updatedAt"])
      .where("organizationId", "=", organizationId)
      .execute();
  const createWith = (teams: object) =>
    fixture.create(
      newPerson(),
      { slug: newSlug() },
      fixture.depsWith({ tree: { organization: { teams } } }),
    );

  test("has the organization's name and its creator as a member", async () => {
    const { id, members } = await createWith({ enabled: true });
    const teams = await teamsOf(id);
    expect(teams).toEqual([{ id: members[0]?.teamId, name: "Acme", updatedAt: null }]);
  });

  test.each([
    ["teams are off", {}],
    ["it is off", { enabled: true, defaultTeam: { enabled: false } }],
  ])("does not exist if %s", async (_kind, teams) => {
    const { id, members } = await createWith(teams);
    expect(await teamsOf(id)).toEqual([]);
    expect(members[0]?.teamId ?? null).toBeNull();
  });

  test.each([
    [{ name: "Pioneers" }, "Pioneers"],
    [null, "Acme"],
  ])("is named by the application: %j gives %j", async (given, name) => {
    const created: OrganizationRow[] = [];
    const customCreateDefaultTeam = (organization: OrganizationRow) => {
      created.push(organization);
      return given;
    };
    const { id } = await createWith({ enabled: true, defaultTeam: { customCreateDefaultTeam } });
    expect((await teamsOf(id)).map((team) => team.name)).toEqual([name]);
    expect(created).toMatchObject([{ id, name: "Acme", metadata: null }]);
  });
});
