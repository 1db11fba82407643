import type { LatchkeyConfig } from "@latchkey/contracts";
import { syncFields } from "@latchkey/service-kit/fields";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { adminAddMember, adminUpdateMember } from "../admin/members.ts";
import { adminUpdateTeam } from "../admin/teams.ts";
import { fieldTables } from "../config.ts";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { createDescribeChanges } from "../events/describe-changes.ts";
import { showMailedInvitation } from "../invitations/invitation-ids.ts";
import { issueInvitation } from "../invitations/issue-invitation.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { operations } from "../operations.ts";
import { findMembership } from "../rows/members.ts";
import { createTeam, updateTeam } from "../teams/operations.ts";
import { readFullOrganization } from "./read-full-organization.ts";
import { callBy, openOrganizations, replyOf } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

type Schema = NonNullable<NonNullable<LatchkeyConfig["organization"]>["schema"]>;

const schema = {
  organization: {
    additionalFields: {
      vatId: { type: "string", required: false, unique: true },
      plan: { type: ["free", "paid"], input: false, defaultValue: "free" },
      secretNote: { type: "string", required: false, returned: false },
      seats: { type: "number" },
    },
  },
  member: {
    additionalFields: {
      title: { type: "string", required: false },
      level: { type: "number", input: false, defaultValue: 1 },
    },
  },
  invitation: { additionalFields: { note: { type: "string", required: false } } },
  team: {
    additionalFields: {
      color: { type: "string", required: false },
      hidden: { type: "boolean", input: false, returned: false, defaultValue: false },
    },
  },
} satisfies Schema;

const fixture = await openOrganizations();
const { db } = fixture;
const tree = { organization: { schema, teams: { enabled: true } } };
const deps = fixture.depsWith({ tree });
await syncFields(db, fieldTables(deps.config));

const newSlug = () => newTextId().toLowerCase();
const create = (person: Person, body: object = {}, using = deps) =>
  fixture.create(person, { slug: newSlug(), seats: 3, ...body }, using);
const update = (person: Person, organizationId: string, data: Record<string, unknown>) =>
  fixture.update(person, { organizationId, data }, deps);
const extraOf = async (table: "member" | "organization" | "team", id: string) =>
  (await db.selectFrom(table).select("extra").where("id", "=", id).executeTakeFirstOrThrow()).extra;
const admin = newPerson({ role: "admin" });
const at = (id: string, body: object) => callBy(admin, { params: { id }, body }) as never;
const nameOf = (issue: unknown) =>
  (issue as { issues?: { path: string }[] }).issues?.map(({ path }) => path);

describe("fields of an organization", () => {
  test("are set at its creation, and shown as the options say", async () => {
    const ada = newPerson();
    const made = await create(ada, { vatId: newSlug(), secretNote: "x", plan: "paid" });
    expect(made).toMatchObject({ vatId: expect.any(String), plan: "free", seats: 3 });
    expect(made).not.toHaveProperty("secretNote");
    expect(await extraOf("organization", made.id)).toMatchObject({
      plan: "free",
      secretNote: "x",
      seats: 3,
    });
    const full = await readFullOrganization(deps, { id: made.id });
    expect(full).toMatchObject({
      seats: 3,
      members: [{ title: null, level: 1 }],
      teams: [{ color: null }],
    });
    expect(JSON.stringify(full)).not.toMatch(/secretNote|hidden|extra/);
  });

  test.each([
    [{ seats: undefined }, "FIELD_IS_REQUIRED"],
    [{ seats: null }, "FIELD_IS_REQUIRED"],
    [{ seats: "three" }, "VALIDATION_ERROR"],
  ])("refuse %j", async (body, code) => {
    expect(await outcomeOf(create(newPerson(), body))).toBe(code);
  });

  test("change one by one, and the audit and the event name them without values", async () => {
    const ada = newPerson();
    const { id } = await create(ada, { vatId: newSlug() });
    const changed = await update(ada, id, { seats: 4, plan: "paid", unknown: true });
    expect(changed).toMatchObject({ seats: 4, plan: "free" });
    expect(changed).not.toHaveProperty("unknown");
    const [entry] = (await fixture.auditOf(id)).slice(-1);
    expect(entry).toMatchObject({
      action: "organization.updated",
      after: { extra: { seats: "changed" } },
    });
    const change = {
      action: "organization.updated" as const,
      subjectKind: "organization",
      subjectId: id,
      before: entry?.before,
      after: entry?.after,
    };
    const [events] = await createDescribeChanges(deps)(db, [change as never]);
    expect(events).toMatchObject([
      {
        type: "organization.updated",
        data: { changes: ["seats"], organization: { seats: 4, plan: "free" } },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secretNote|metadata|extra/);
  });

  test("are unique for sixteen concurrent creations, and the refusal names the field", async () => {
    const vatId = newSlug();
    const trials = Array.from({ length: 16 }, () =>
      operations.createOrganization(
        deps,
        callBy(newPerson(), {
          body: { name: "Acme", slug: newSlug(), seats: 1, vatId },
        }),
      ),
    );
    const settled = await Promise.allSettled(trials);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refusals.map(nameOf)).toEqual(Array.from({ length: 15 }, () => ["vatId"]));
  });

  test("are set by the application's functions, whatever the options say about clients", async () => {
    const calls: object[] = [];
    const chosen = fixture.depsWith({
      tree: {
        organization: {
          ...tree.organization,
          teams: {
            enabled: true,
            defaultTeam: { customCreateDefaultTeam: () => ({ name: "Crew", color: "red" }) },
          },
          organizationCreation: {
            beforeCreate: () => ({ data: { plan: "paid" } }),
            afterCreate: (data: object) => calls.push(data),
          },
        },
      },
    });
    const { id } = await create(newPerson(), { secretNote: "x" }, chosen);
    expect(await extraOf("organization", id)).toMatchObject({ plan: "paid", secretNote: "x" });
    expect(calls).toMatchObject([
      { organization: { plan: "paid", secretNote: "x" }, member: { level: 1 } },
    ]);
    const team = db.selectFrom("team").select("extra").where("organizationId", "=", id);
    expect(await team.execute()).toEqual([{ extra: { color: "red", hidden: false } }]);
  });
});

describe("fields of teams, members and invitations", () => {
  const seed = async () => {
    const owner = newPerson();
    const { organization, memberOf } = await seedOrganization(db, [
      { person: owner, role: "owner" },
    ]);
    return { owner, id: organization.id, member: memberOf(owner) };
  };

  test("a member with the permission sets those of a team that clients may set", async () => {
    const { owner, id: organizationId } = await seed();
    const body = { name: "Crew", organizationId, color: "red", hidden: true };
    const team = await replyOf(createTeam(deps, callBy(owner, { body })));
    expect(team).toMatchObject({ name: "Crew", color: "red" });
    const data = { color: "blue", organizationId };
    const changed = updateTeam(deps, callBy(owner, { body: { teamId: team.id, data } }));
    expect(await replyOf(changed)).toMatchObject({ name: "Crew", color: "blue" });
    expect(await extraOf("team", team.id)).toEqual({ color: "blue", hidden: false });
    const values = { teamId: team.id, data: { hidden: true } };
    await adminUpdateTeam(deps, at(organizationId, values));
    expect(await extraOf("team", team.id)).toEqual({ color: "blue", hidden: true });
  });

  test("an admin sets those of a member, also of one who joins, and the audit says so", async () => {
    const { id, member } = await seed();
    const data = { title: "Captain", level: 9 };
    const changed = await replyOf(adminUpdateMember(deps, at(id, { memberId: member.id, data })));
    expect(changed).toMatchObject({ title: "Captain", level: 9, role: "owner" });
    expect(await extraOf("member", member.id)).toEqual(data);
    expect((await fixture.auditOf(id)).at(-1)).toMatchObject({
      actorId: admin.user.id,
      action: "member.updated",
      after: { id: member.id, extra: { title: "changed", level: "changed" } },
    });
    const { id: elsewhere } = await seed();
    const strange = adminUpdateMember(deps, at(elsewhere, { memberId: member.id, data }));
    expect(await outcomeOf(strange)).toBe("MEMBER_NOT_FOUND");
    const wrong = adminUpdateMember(deps, at(id, { memberId: member.id, data: { level: "x" } }));
    expect(await outcomeOf(wrong)).toBe("VALIDATION_ERROR");
    const guest = newPerson().user;
    const identity = { ...deps.identity, call: async () => ({ users: [guest] }) } as never;
    const adds = adminAddMember(
      { ...deps, identity },
      at(id, { userId: guest.id, role: "member", data: { title: "Cook" } }),
    );
    expect(await replyOf(adds)).toMatchObject({ title: "Cook", level: 1 });
  });

  test("changes of different fields of a member at once are all kept", async () => {
    const { id, member } = await seed();
    const trials = Array.from({ length: 16 }, (_, index) => {
      const data = index % 2 === 0 ? { title: "Captain" } : { level: 5 };
      return adminUpdateMember(deps, at(id, { memberId: member.id, data }));
    });
    expect(await tally(trials)).toEqual({ done: 16 });
    expect(await extraOf("member", member.id)).toEqual({ title: "Captain", level: 5 });
  });

  test("those of an invitation are stored and shown with it", async () => {
    const { owner, id: organizationId } = await seed();
    const inviter = await findMembership(db, { organizationId, userId: owner.user.id });
    const extra = await deps.fields.invitation.read({ values: { note: "Hi" }, mode: "create" });
    const invitation = await issueInvitation(deps, {
      inviter: inviter!, // seeded above
      email: "guest@example.com",
      userIds: [],
      role: "member",
      teamIds: [],
      extra,
      isRepeated: false,
      ...owner,
    });
    expect(showMailedInvitation(deps, invitation)).toMatchObject({ note: "Hi" });
    const full = await readFullOrganization(deps, { id: organizationId });
    expect(full?.invitations).toMatchObject([{ note: "Hi" }]);
  });
});
