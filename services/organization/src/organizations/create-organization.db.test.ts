import type { NewOrganization, OrganizationRow } from "@latchkey/contracts";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { createOrganizationFor } from "./create-organization.ts";
import { openOrganizations, type OpenedOrganizations } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

const exists = "ORGANIZATION_ALREADY_EXISTS";
const notAllowed = "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION";
const tooMany = "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS";
const count = 16;

let it: OpenedOrganizations;
beforeAll(async () => {
  it = await openOrganizations();
});
afterAll(() => it.close());

const newSlug = () => newTextId().toLowerCase();

const rowsOf = async (slug: string) => ({
  organizations: await it.slugsLike(slug),
  members: await it.db.selectFrom("member").select("userId").execute(),
});

test("a new organization has its creator as the owner, and is answered with them", async () => {
  const person = newPerson();
  const slug = newSlug();
  const metadata = { plan: { seats: 3 }, emptyText: "" };
  const created = await it.create(person, { name: "Acme", slug, logo: "l.png", metadata });
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
  expect(await it.auditOf(created.id)).toEqual([
    { ...actor, action: "organization.created", after: { name: "Acme", slug } },
    { ...actor, action: "member.added", after: expect.objectContaining({ role: "owner" }) },
  ]);
});

test("what is not given is null, and metadata is left out", async () => {
  const created = await it.create(newPerson(), { slug: newSlug() });
  expect(created.logo).toBeNull();
  expect(created).not.toHaveProperty("metadata");
});

test("an impersonated user's organization is the admin's doing", async () => {
  const person = newPerson();
  person.session.session.impersonatedBy = "the-admin";
  const { id } = await it.create(person, { slug: newSlug() });
  expect((await it.auditOf(id)).map(({ actorId }) => actorId)).toEqual(["the-admin", "the-admin"]);
});

test("a service that names no user creates nothing", async () => {
  const { caller } = newPerson();
  const slug = newSlug();
  for (const userId of [undefined, ""]) {
    const call = {
      caller: { ...caller, service: "billing" },
      body: { name: "Acme", slug, userId },
    };
    expect(
      await outcomeOf(
        createOrganizationFor(it.deps, call as Parameters<typeof createOrganizationFor>[1]),
      ),
    ).toBe("UNAUTHORIZED");
  }
  expect(await it.slugsLike(slug)).toEqual([]);
});

describe("slugs", () => {
  test("of sixteen who want one slug at once one has it", async () => {
    for (let round = 0; round < 5; round += 1) {
      const slug = newSlug();
      const creates = Array.from({ length: count }, () => it.create(newPerson(), { slug }));
      expect(await tally(creates)).toEqual({ done: 1, [exists]: count - 1 });
      expect(await it.slugsLike(slug)).toEqual([slug]);
    }
  });

  test("a slug of the application's choice is checked like one that was asked for", async () => {
    const taken = newSlug();
    await it.create(newPerson(), { slug: taken });
    const deps = it.depsWith({
      tree: {
        organization: {
          organizationCreation: { beforeCreate: () => ({ data: { slug: taken } }) },
        },
      },
    });
    const slug = newSlug();
    expect(await outcomeOf(it.create(newPerson(), { slug }, deps))).toBe(exists);
    expect(await it.slugsLike(slug)).toEqual([]);
  });

  test("slugs differ by the case of their letters", async () => {
    const slug = newSlug();
    await it.create(newPerson(), { slug: `a${slug}` });
    expect((await it.create(newPerson(), { slug: `A${slug}` })).slug).toBe(`A${slug}`);
  });
});

describe("who may create", () => {
  const withOptions = (organization: object) => it.depsWith({ tree: { organization } });

  test.each([
    ["an option", { allowUserToCreateOrganization: false }],
    ["a function", { allowUserToCreateOrganization: async () => false }],
    ["the switch of creations", { organizationCreation: { disabled: true } }],
  ])("%s forbids it", async (_kind, organization) => {
    const created = it.create(newPerson(), { slug: newSlug() }, withOptions(organization));
    expect(await outcomeOf(created)).toBe(notAllowed);
  });

  test("functions are asked about the user", async () => {
    const asked: string[] = [];
    const deps = withOptions({
      allowUserToCreateOrganization: ({ id }: { id: string }) => asked.push(`allow ${id}`) > 0,
      organizationLimit: async ({ id }: { id: string }) => asked.push(`limit ${id}`) > 2,
    });
    const person = newPerson();
    const { id } = person.user;
    expect(await outcomeOf(it.create(person, { slug: newSlug() }, deps))).toBe("done");
    expect(asked).toEqual([`allow ${id}`, `limit ${id}`]);
    expect(await outcomeOf(it.create(person, { slug: newSlug() }, deps))).toBe(tooMany);
  });

  test("of sixteen creations of a user who may have one, one is made", async () => {
    const deps = withOptions({ organizationLimit: 1 });
    for (let round = 0; round < 5; round += 1) {
      const person = newPerson();
      const creates = Array.from({ length: count }, () =>
        it.create(person, { slug: newSlug() }, deps),
      );
      expect(await tally(creates)).toEqual({ done: 1, [tooMany]: count - 1 });
    }
  });

  test("memberships in organizations of others count, and nobody may have more than none", async () => {
    const person = newPerson();
    await seedOrganization(it.db, [{ person, role: "member" }]);
    const slug = newSlug();
    expect(
      await outcomeOf(it.create(person, { slug }, withOptions({ organizationLimit: 1 }))),
    ).toBe(tooMany);
    const none = withOptions({ organizationLimit: 0 });
    expect(await outcomeOf(it.create(newPerson(), { slug }, none))).toBe(tooMany);
  });

  test("refusals come in order: not allowed, too many, slug taken", async () => {
    const slug = newSlug();
    const person = newPerson();
    await it.create(person, { slug });
    const limited = { organizationLimit: 1 };
    const forbidden = { ...limited, allowUserToCreateOrganization: false };
    expect(await outcomeOf(it.create(person, { slug }, withOptions(forbidden)))).toBe(notAllowed);
    expect(await outcomeOf(it.create(person, { slug }, withOptions(limited)))).toBe(tooMany);
    expect(await outcomeOf(it.create(person, { slug }))).toBe(exists);
  });

  test("a user who has ceased to exist creates nothing", async () => {
    const person = newPerson();
    const slug = newSlug();
    const departed = { userId: person.user.id, departedAt: new Date() };
    await it.db.insertInto("departedUser").values(departed).execute();
    expect(await outcomeOf(it.create(person, { slug }))).toBe("UNAUTHORIZED");
    expect(await it.slugsLike(slug)).toEqual([]);
  });
});

describe("functions of the application", () => {
  test("one before overrides members, one after is told of what was stored", async () => {
    const told: unknown[] = [];
    const deps = it.depsWith({
      tree: {
        organization: {
          organizationCreation: {
            beforeCreate: (data: { organization: NewOrganization }, request: unknown) => {
              told.push({ ...data.organization }, request);
              return { data: { name: "Renamed", logo: null, metadata: { by: "hook" } } };
            },
            afterCreate: (data: unknown) => told.push(data),
          },
        },
      },
    });
    const person = newPerson();
    const slug = newSlug();
    const created = await it.create(person, { name: "Acme", slug, logo: "l.png" }, deps);
    const { members, metadata, ...organization } = created;
    expect(created).toMatchObject({ name: "Renamed", slug, logo: null, metadata: { by: "hook" } });
    const { baseUrl, address, userAgent } = person.caller;
    expect(told).toStrictEqual([
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

  test("what one throws before leaves nothing", async () => {
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
      const deps = it.depsWith({ tree: { organization } });
      await expect(it.create(newPerson(), { slug }, deps)).rejects.toThrow("no");
      expect(await rowsOf(slug)).toEqual(before);
    }
  });
});

describe("the team that it begins with", () => {
  const teamsOf = (organizationId: string) =>
    it.db
      .selectFrom("team")
      .select(["id", "name", "updatedAt"])
      .where("organizationId", "=", organizationId)
      .execute();
  const createWith = (teams: object) =>
    it.create(newPerson(), { slug: newSlug() }, it.depsWith({ tree: { organization: { teams } } }));

  test("is named like the organization, and its creator is in it", async () => {
    const { id, members } = await createWith({ enabled: true });
    const teams = await teamsOf(id);
    expect(teams).toEqual([{ id: members[0]?.teamId, name: "Acme", updatedAt: null }]);
  });

  test.each([
    ["teams are off", {}],
    ["it is off", { enabled: true, defaultTeam: { enabled: false } }],
  ])("is not there where %s", async (_kind, teams) => {
    const { id, members } = await createWith(teams);
    expect(await teamsOf(id)).toEqual([]);
    expect(members[0]?.teamId ?? null).toBeNull();
  });

  test.each([
    [{ name: "Pioneers" }, "Pioneers"],
    [null, "Acme"],
  ])("is %j where the application says so", async (given, name) => {
    const told: OrganizationRow[] = [];
    const customCreateDefaultTeam = (organization: OrganizationRow) => {
      told.push(organization);
      return given;
    };
    const { id } = await createWith({ enabled: true, defaultTeam: { customCreateDefaultTeam } });
    expect((await teamsOf(id)).map((team) => team.name)).toEqual([name]);
    expect(told).toMatchObject([{ id, name: "Acme", metadata: null }]);
  });
});
