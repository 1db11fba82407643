import { afterAll } from "vitest";
import type { Operation, operations } from "@latchkey/contracts";
import { type Person } from "@latchkey/testkit";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { createTestDeps, openOrganizationDatabase } from "../db/test-organization.fixture.ts";
import { createOrganization, deleteOrganization } from "./operations.ts";
import { updateOrganization } from "./update-organization.ts";

type Operations = typeof operations.organization;
type Given = Parameters<typeof createTestDeps>[1];

/** Builds the call of an operation in a person's session. */
export const callBy = <O extends Operation>(
  { caller, session }: Person,
  input: { body?: unknown; query?: unknown; params?: unknown },
): Call<O> => ({ caller, session, ...input }) as unknown as Call<O>; // as if parsed by the schemas

export const replyOf = async <Reply>(answer: Promise<Answer<Reply>>): Promise<Reply> => {
  const answered = await answer;
  if ("redirect" in answered) throw new Error("nobody is sent anywhere");
  return answered.reply;
};

/** Opens a database for sixteen concurrent callers, with the actions on organizations. Calls to identity are refused. */
export const openOrganizations = async () => {
  const { db } = await openOrganizationDatabase(20);
  const opened: ReturnType<typeof createTestDeps>[] = [];
  const depsWith = (given: Given = {}) => {
    const deps = createTestDeps(db, given);
    opened.push(deps);
    return deps;
  };
  const deps = depsWith();
  const create = (
    person: Person,
    body: Partial<Call<Operations["createOrganization"]>["body"]> & { slug: string },
    using = deps,
  ) => replyOf(createOrganization(using, callBy(person, { body: { name: "Acme", ...body } })));
  const update = (
    person: Person,
    body: Call<Operations["updateOrganization"]>["body"],
    using = deps,
  ) => replyOf(updateOrganization(using, callBy(person, { body })));
  const erase = (person: Person, organizationId: string, using = deps) =>
    replyOf(deleteOrganization(using, callBy(person, { body: { organizationId } })));
  const slugsLike = async (prefix: string): Promise<string[]> => {
    const rows = await db
      .selectFrom("organization")
      .select("slug")
      .where("slug", "like", `${prefix}%`)
      .execute();
    return rows.map(({ slug }) => slug);
  };
  const auditOf = (id: string) =>
    db
      .selectFrom("audit")
      .select(["actorKind", "actorId", "action", "before", "after"])
      .where("subjectId", "=", id)
      .orderBy("id")
      .execute();
  afterAll(() => Promise.all(opened.map(({ identity }) => identity.close())));
  return { db, deps, depsWith, create, update, erase, slugsLike, auditOf };
};
