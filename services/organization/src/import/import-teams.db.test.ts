import { hash } from "node:crypto";
import type { SourceBatch } from "@latchkey/service-kit/import";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { openOrganizationDatabase, createTestDeps } from "../db/test-organization.fixture.ts";
import type { GivenInvitation, GivenMember, GivenOrganization, GivenTeam } from "./read-values.ts";
import { importInvitations, importMembers } from "./import-members.ts";
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
};
const ofAcme = { organizationId: acme.id, hasOrganization: true, createdAt };
const core: GivenTeam = { ...ofAcme, id: "core", name: "Core", updatedAt: null };
const bea: GivenMember = {
  ...ofAcme,
  id: "bea",
  userId: "user bea",
  hasUser: true,
  role: "member",
  teamId: core.id,
  teamCount: null,
};
const carl: GivenInvitation = {
  ...ofAcme,
  id: "carl",
  email: "carl@example.com",
  role: "member",
  teamId: core.id,
  status: "pending",
  expiresAt: createdAt + 86_400_000,
  inviterId: "user ada",
  hasInviter: true,
};

/** Attack: a member whom the source has removed keeps access here, because their team was deleted before them. */
test("still imports later changes to members of a deleted team", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  await importOrganizations(deps, batchOf("organization", acme));
  await importTeams(deps, batchOf("team", core));
  await importMembers(deps, batchOf("member", bea));
  await importInvitations(deps, batchOf("invitation", carl));

  expect(await importTeams(deps, batchOf<GivenTeam>("team"))).toMatchObject({
    removed: 1,
    left: [],
  });
  const admin = { ...bea, teamId: null, role: "admin" };
  const canceled = { ...carl, teamId: null, status: "canceled" };
  const followed = { changed: 1, left: [] };
  expect(await importMembers(deps, batchOf("member", admin))).toMatchObject(followed);
  expect(await importInvitations(deps, batchOf("invitation", canceled))).toMatchObject(followed);
  const gone = await importMembers(deps, batchOf<GivenMember>("member"));
  expect(gone).toMatchObject({ removed: 1, left: [] });
});

test("keeps the local team of a member who was moved to another team here", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  const sales = { ...core, id: "sales" };
  const dan = { ...bea, id: "dan", userId: "user dan" };
  await importOrganizations(deps, batchOf("organization", acme));
  await importTeams(deps, batchOf("team", core, sales));
  await importMembers(deps, batchOf("member", dan));
  await db.updateTable("member").set({ teamId: sales.id }).where("id", "=", dan.id).execute();
  await importTeams(deps, batchOf("team", sales));
  const imported = await importMembers(deps, batchOf("member", { ...dan, role: "admin" }));
  expect(imported).toMatchObject({ changed: 0, left: [{ key: dan.id }] });
});
