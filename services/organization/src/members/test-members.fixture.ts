import { afterAll } from "vitest";
import { type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { type Person } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { createTestDeps, openOrganizationDatabase } from "../db/test-organization.fixture.ts";
import { leaveOrganization, removeMemberBy, updateMemberRole } from "./operations.ts";
import { addMemberBy } from "./change-members.ts";

type Operations = typeof operations.organization;
type Asked = { organizationId: string; person: Person };

/** Returns `done`, or the code of the error. Rethrows other errors. */
export const outcomeOf = async (trial: Promise<unknown>): Promise<string> => {
  try {
    await trial;
    return "done";
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
};

/** Counts the outcomes. */
export const tally = async (trials: readonly Promise<unknown>[]) => {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(trials.map(outcomeOf)))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

type TestDeps = ReturnType<typeof createTestDeps>;

/** Returns the actions of members. */
const actionsOf = (deps: TestDeps) => ({
  leave: ({ organizationId, person }: Asked) => {
    const call = { body: { organizationId }, ...person };
    return leaveOrganization(deps, call as unknown as Call<Operations["leaveOrganization"]>);
  },
  remove: ({ organizationId, person }: Asked, id: string) =>
    removeMemberBy(deps, { organizationId, target: { id }, ...person }),
  setRole: (
    { organizationId, person }: Asked,
    { memberId, role }: { memberId: string; role: string | string[] },
  ) => {
    const call = { body: { organizationId, memberId, role }, ...person };
    return updateMemberRole(deps, call as unknown as Call<Operations["updateMemberRole"]>);
  },
  enrol: ({ organizationId, person }: Asked, other: TestDeps = deps) =>
    addMemberBy(other, {
      organizationId,
      userId: person.user.id,
      role: "member",
      extra: {},
      actor: { kind: "service", id: "test" },
    }),
});

/** Returns the queries that show the outcome. */
const viewsOf = (db: Kysely<Tables>) => ({
  rolesIn: async (organizationId: string): Promise<string[]> => {
    const rows = await db
      .selectFrom("member")
      .select("role")
      .where("organizationId", "=", organizationId)
      .execute();
    return rows.map(({ role }) => role).toSorted();
  },
  auditOf: (organizationId: string) =>
    db
      .selectFrom("audit")
      .select(["actorKind", "actorId", "action", "before", "after"])
      .where("subjectId", "=", organizationId)
      .orderBy("id")
      .execute(),
  eventsNamed: async (name: string, about: string): Promise<string[]> => {
    const rows = await db.selectFrom("outbox").select("data").where("name", "=", name).execute();
    return rows.map(({ data }) => data).filter((data) => data.includes(about));
  },
});

/** Opens a database for sixteen concurrent callers, with the actions of members. Calls to identity are refused. */
export const openMembers = async () => {
  const { db } = await openOrganizationDatabase(20);
  const opened: TestDeps[] = [];
  const depsWith = (tree: object = {}) => {
    const deps = createTestDeps(db, { tree });
    opened.push(deps);
    return deps;
  };
  const deps = depsWith();
  afterAll(() => Promise.all(opened.map(({ identity }) => identity.close())));
  return { db, deps, depsWith, ...actionsOf(deps), ...viewsOf(db) };
};
