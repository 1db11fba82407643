import { hash } from "node:crypto";
import type { SourceBatch } from "@latchkey/service-kit/import";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrations } from "../db/migrations.ts";
import { openOrganizationDatabase, createTestDeps } from "../db/test-organization.fixture.ts";
import type {
  GivenInvitation,
  GivenMember,
  GivenTeamMember,
  GivenOrganization,
  GivenTeam,
} from "./read-values.ts";
import { importInvitations, importMembers } from "./import-members.ts";
import { importOrganizationRoles } from "./import-roles.ts";
import { importTeamMembers } from "./import-team-members.ts";
import { listTeamIds } from "../rows/team-members.ts";
import { importOrganizations, importTeams } from "./import-organizations.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openOrganizationDatabase();

const hashOf = (values: object) =>
  hash("md5", JSON.stringify(values)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** Builds a batch with all rows that the source has of a model. */
const batchOf = <Values extends { id: string }>(
  model: string,
  ...there: Values[]
): SourceBatch<Values> => {
  const rows = there.map((values) => ({ key: values.id, hash: hashOf(values), values }));
  return {
    source: "there",
    model,
    after: "",
    upTo: undefined,
    rows,
    load: async (keys) => rows.filter(({ key }) => keys.includes(key)),
    isLeft: () => false,
    isDryRun: false,
    claim: () => true,
  };
};

const createdAt = clock.now();
const acme: GivenOrganization = {
  id: "acme",
  name: "Acme",
  slug: "acme",
  logo: null,
  metadata: null,
  createdAt,
  extra: {},
};
const ofAcme = {
  extra: {},
  organizationId: acme.id,
  hasOrganization: true,
  createdAt,
};
const core: GivenTeam = { ...ofAcme, id: "core", name: "Core", updatedAt: null };
const bea: GivenMember = {
  ...ofAcme,
  id: "bea",
  userId: "user bea",
  hasUser: true,
  role: "member",
  madeRoles: null,
};
const beaInCore: GivenTeamMember = {
  id: "bea in core",
  teamId: core.id,
  memberId: bea.id,
  createdAt,
};
const carl: GivenInvitation = {
  ...ofAcme,
  id: "carl",
  email: "carl@example.com",
  role: "member",
  madeRoles: null,
  teamIds: JSON.stringify([core.id, "dock"]),
  status: "pending",
  expiresAt: createdAt + 86_400_000,
  inviterId: "user ada",
  hasInviter: true,
};

/** Attack: a member whom the source has removed keeps access here, because their team was deleted before them. */
test("still imports later changes to members of a deleted team", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  await importOrganizations(deps, batchOf("organization", acme));
  await importTeams(deps, batchOf("team", core, { ...core, id: "dock" }));
  await importMembers(deps, batchOf("member", bea));
  await importTeamMembers(deps, batchOf("teamMember", beaInCore));
  await importInvitations(deps, batchOf("invitation", carl));
  const invitation = db.selectFrom("invitation").select(["teamId", "moreTeamIds"]);
  const carlsTeams = () => invitation.where("id", "=", carl.id).executeTakeFirst();
  expect(await carlsTeams()).toEqual({ teamId: core.id, moreTeamIds: ["dock"] });

  expect(await importTeams(deps, batchOf<GivenTeam>("team"))).toMatchObject({
    removed: 2,
    left: [],
  });
  expect(await carlsTeams()).toEqual({ teamId: null, moreTeamIds: [] });
  const admin = { ...bea, role: "admin" };
  const canceled = { ...carl, teamIds: null, status: "canceled" };
  const followed = { changed: 1, left: [] };
  expect(await importMembers(deps, batchOf("member", admin))).toMatchObject(followed);
  const noPlaces = batchOf<GivenTeamMember>("teamMember");
  expect(await importTeamMembers(deps, noPlaces)).toMatchObject({ left: [expect.anything()] });
  expect(await importInvitations(deps, batchOf("invitation", canceled))).toMatchObject(followed);
  const gone = await importMembers(deps, batchOf<GivenMember>("member"));
  expect(gone).toMatchObject({ removed: 1, left: [] });
});

test("imports each team of a member, and follows only what the source changes", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  const [sales, support] = [
    { ...core, id: "sales" },
    { ...core, id: "support" },
  ];
  const dan = { ...bea, id: "dan", userId: "user dan" };
  const places = [sales, support].map(({ id: teamId }, index) => ({
    id: `dan in ${teamId}`,
    teamId,
    memberId: dan.id,
    createdAt: createdAt + index,
  }));
  const stored = async () => ({
    first: (
      await db.selectFrom("member").select("teamId").where("id", "=", dan.id).executeTakeFirst()
    )?.teamId,
    all: (await listTeamIds(db, [dan.id])).get(dan.id),
  });
  await importOrganizations(deps, batchOf("organization", acme));
  await importTeams(deps, batchOf("team", sales, support));
  await importMembers(deps, batchOf("member", dan));
  await importTeamMembers(deps, batchOf("teamMember", ...places));
  expect(await stored()).toEqual({ first: sales.id, all: [sales.id, support.id] });
  const imported = await importMembers(deps, batchOf("member", { ...dan, role: "admin" }));
  expect(imported).toMatchObject({ changed: 1, left: [] });
  const gone = await importTeamMembers(deps, batchOf("teamMember", ...places.slice(1)));
  expect(gone).toMatchObject({ removed: 1, left: [] });
  expect(await stored()).toEqual({ first: support.id, all: [support.id] });
  const published = db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "team-members.removed");
  expect((await published.execute()).map(({ data }) => JSON.parse(data) as object)).toContainEqual({
    organizationId: acme.id,
    teamId: sales.id,
    userIds: [dan.userId],
  });
});

test("imports the roles that an organization made, and the members who have them", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  const role = {
    ...ofAcme,
    id: "captain",
    role: "captain",
    permission: '{"team":["create"],"rocket":["fly"]}',
    updatedAt: null,
  };
  const refused = [
    { ...role, id: "comma", role: "a,b" },
    { ...role, id: "taken", role: "admin" },
    { ...role, id: "broken", role: "broken", permission: "[1]" },
  ];
  await importOrganizations(deps, batchOf("organization", acme));
  const result = await importOrganizationRoles(deps, batchOf("organizationRole", role, ...refused));
  expect(result).toMatchObject({
    added: 1,
    left: refused.map(({ id }) => ({ key: id })),
    noted: [{ key: role.id, reason: expect.stringContaining("rocket") }],
  });
  const eve = {
    ...bea,
    id: "eve",
    userId: "user eve",
    role: "captain,nobody",
    madeRoles: "captain",
  };
  expect(await importMembers(deps, batchOf("member", eve))).toMatchObject({
    added: 1,
    noted: [{ key: "eve", reason: expect.stringContaining("nobody") }],
  });
  const row = db.selectFrom("member").select("role").where("id", "=", "eve");
  expect(await row.executeTakeFirst()).toEqual({ role: "captain" });
  const stored = db.selectFrom("organizationRole").select("permission").where("id", "=", role.id);
  expect(await stored.executeTakeFirst()).toEqual({ permission: '{"team":["create"]}' });
});

test("imports no more roles of an organization than it may have, and reports the others", async () => {
  const organization = { dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 2 } };
  const deps = createTestDeps(db, { clock: clock.now, tree: { organization } });
  const firm = { ...acme, id: "firm", slug: "firm" };
  const other = { ...acme, id: "other firm", slug: "other-firm" };
  await importOrganizations(deps, batchOf("organization", firm, other));
  const roleOf = ({ id }: GivenOrganization, role: string) => ({
    ...ofAcme,
    organizationId: id,
    id: `${id} ${role}`,
    role,
    permission: "{}",
    updatedAt: null,
  });
  const roles = ["a", "b", "c", "d"].map((role) => roleOf(firm, role));
  const firmsBatch = (...there: typeof roles) => ({
    ...batchOf("organizationRole", ...there),
    source: "firms",
  });
  const claimed = new Set<string>();
  const claim = (value: string) => !claimed.has(value) && Boolean(claimed.add(value));
  const reported = ["c", "d"].map((role) => ({
    key: `firm ${role}`,
    reason: expect.stringContaining("as many roles"),
  }));
  expect(
    await importOrganizationRoles(deps, { ...firmsBatch(...roles), isDryRun: true, claim }),
  ).toMatchObject({
    added: 2,
    left: reported,
  });
  const batch = firmsBatch(...roles, roleOf(other, "a"));
  expect(await importOrganizationRoles(deps, batch)).toMatchObject({ added: 3, left: reported });
  // The roles that are here already change nothing about that.
  const again = await importOrganizationRoles(deps, batch);
  expect(again).toMatchObject({ added: 0, same: 3, left: reported });
});

test("imports additional fields by their types, and notes values of another type", async () => {
  const additionalFields = {
    seats: { type: "number", required: false },
    plan: { type: "string", defaultValue: "free" },
  };
  const tree = { organization: { schema: { organization: { additionalFields } } } };
  const deps = createTestDeps(db, { clock: clock.now, tree });
  const [good, bad] = [
    { ...acme, id: "seated", slug: "seated", extra: { seats: "4" } },
    { ...acme, id: "unseated", slug: "unseated", extra: { seats: "four", plan: "paid" } },
  ];
  expect(await importOrganizations(deps, batchOf("organization", good, bad))).toMatchObject({
    noted: [{ key: "unseated", reason: expect.stringContaining("seats") }],
  });
  const rows = db.selectFrom("organization").select("extra").where("id", "in", [good.id, bad.id]);
  expect(await rows.orderBy("id").execute()).toEqual([
    { extra: { seats: 4, plan: "free" } },
    { extra: { seats: null, plan: "paid" } },
  ]);
});

test("recognizes rows that it imported before they had additional fields", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  const former = { ...acme, id: "former", slug: "former" };
  const ofFormer = { organizationId: former.id };
  await importOrganizations(deps, batchOf("organization", former));
  await importTeams(deps, batchOf("team", { ...core, ...ofFormer, id: "former team" }));
  await importMembers(deps, batchOf("member", { ...bea, ...ofFormer, id: "former member" }));
  const invitation = { ...carl, ...ofFormer, id: "former invitation", teamIds: null };
  await importInvitations(deps, batchOf("invitation", invitation));
  const keptHashes = async () =>
    (
      await sql`select model, kept from organization.taken where key like 'former%'
      order by model`.execute(db)
    ).rows;
  const present = await keptHashes();
  expect(present).toHaveLength(4);
  await sql`select set_config('TimeZone', 'UTC', false)`.execute(db);
  for (const [table, names] of [
    ["organization", "t.id, t.name, t.slug, t.logo, t.metadata, t.created_at"],
    ["team", "t.id, t.name, t.organization_id, t.created_at, t.updated_at"],
    ["member", "t.id, t.organization_id, t.user_id, t.role, t.created_at"],
    [
      "invitation",
      "t.id, t.organization_id, t.email, t.role, t.team_id, t.status, t.expires_at, t.inviter_id, t.created_at, t.mailed_at",
    ],
  ] as const)
    await sql`update organization.taken as known set kept = ${sql.raw(`md5(row(${names})::text)::uuid`)}
      from ${sql.id("organization", table)} as t
      where known.model = ${table} and known.key = t.id and t.id like 'former%'`.execute(db);
  expect(await keptHashes()).not.toEqual(present);
  await db.transaction().execute((trx) => migrations["0020_imported_rows"]!.up(trx));
  expect(await keptHashes()).toEqual(present);
});
