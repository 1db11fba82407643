import { hash } from "node:crypto";
import type { SourceBatch } from "@latchkey/service-kit";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tables } from "../db/tables.ts";
import {
  connectOrganization,
  createOrganizationDatabase,
  createTestDeps,
} from "../db/test-organization.fixture.ts";
import type { GivenInvitation, GivenMember, GivenOrganization, GivenTeam } from "./given.ts";
import { takeInvitations } from "./take-invitations.ts";
import { takeMembers } from "./take-members.ts";
import { takeOrganizations } from "./take-organizations.ts";
import { takeTeams } from "./take-teams.ts";

expectNoLeaks("file");

const clock = createTestClock();
let database: TestDatabase;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await createOrganizationDatabase();
  db = connectOrganization(database.url);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

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
  await takeOrganizations(deps, batchOf("organization", acme));
  await takeTeams(deps, batchOf("team", core));
  await takeMembers(deps, batchOf("member", bea));
  await takeInvitations(deps, batchOf("invitation", carl));

  expect(await takeTeams(deps, batchOf<GivenTeam>("team"))).toMatchObject({ removed: 1, left: [] });
  const admin = { ...bea, teamId: null, role: "admin" };
  const canceled = { ...carl, teamId: null, status: "canceled" };
  const followed = { changed: 1, left: [] };
  expect(await takeMembers(deps, batchOf("member", admin))).toMatchObject(followed);
  expect(await takeInvitations(deps, batchOf("invitation", canceled))).toMatchObject(followed);
  const gone = await takeMembers(deps, batchOf<GivenMember>("member"));
  expect(gone).toMatchObject({ removed: 1, left: [] });
});

test("keeps the local team of a member who was moved to another team here", async () => {
  const deps = createTestDeps(db, { clock: clock.now });
  const sales = { ...core, id: "sales" };
  const dan = { ...bea, id: "dan", userId: "user dan" };
  await takeOrganizations(deps, batchOf("organization", acme));
  await takeTeams(deps, batchOf("team", core, sales));
  await takeMembers(deps, batchOf("member", dan));
  await db.updateTable("member").set({ teamId: sales.id }).where("id", "=", dan.id).execute();
  await takeTeams(deps, batchOf("team", sales));
  const taken = await takeMembers(deps, batchOf("member", { ...dan, role: "admin" }));
  expect(taken).toMatchObject({ changed: 0, left: [{ key: dan.id }] });
});
