import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { authorizeMember } from "../api-keys/operations.ts";
import { newTextId } from "../db/test-organization.fixture.ts";
import { openInvitations } from "../invitations/test-invitations.fixture.ts";
import { addMemberBy } from "../members/change-members.ts";
import { removeMemberBy, updateMemberRole } from "../members/operations.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { hasOrganizationPermission } from "../organizations/operations.ts";
import { replyOf } from "../organizations/test-organizations.fixture.ts";
import { createRole, deleteRole, getRole, listRoles, updateRole } from "./operations.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
type Permission = Record<string, string[]>;
const callers = 16;
const many = <T>(make: (index: number) => T) => Array.from({ length: callers }, (_, i) => make(i));
const fixture = await openInvitations();
const { db } = fixture;
const tree = { organization: { dynamicAccessControl: { enabled: true } } };
const deps = fixture.depsWith({ tree });

const callOf = <Name extends keyof Operations>(person: Person, input: object) =>
  ({ ...input, ...person }) as unknown as Call<Operations[Name]>;

type Named = { roleName: string } | { roleId: string };
const actionsIn = (organizationId: string, using = deps) => ({
  create: (by: Person, role: string, permission: Permission) =>
    replyOf(createRole(using, callOf(by, { body: { organizationId, role, permission } }))),
  update: (by: Person, named: Named, data: { permission?: Permission; roleName?: string }) =>
    replyOf(updateRole(using, callOf(by, { body: { organizationId, ...named, data } }))),
  remove: (by: Person, named: Named) =>
    replyOf(deleteRole(using, callOf(by, { body: { organizationId, ...named } }))),
  list: (by: Person) => replyOf(listRoles(using, callOf(by, { query: { organizationId } }))),
  get: (by: Person, named: Named) =>
    replyOf(getRole(using, callOf(by, { query: { organizationId, ...named } }))),
  give: (by: Person, memberId: string, role: string) =>
    replyOf(updateMemberRole(using, callOf(by, { body: { organizationId, memberId, role } }))),
  may: async (by: Person, permissions: Permission) => {
    const body = { organizationId, permissions };
    return (await replyOf(hasOrganizationPermission(using, callOf(by, { body })))).success;
  },
});

const roleOf = async (memberId: string) =>
  (await db.selectFrom("member").select("role").where("id", "=", memberId).executeTakeFirst())
    ?.role;
const memberIdOf = async (organizationId: string, { user }: Person) =>
  (
    await db
      .selectFrom("member")
      .select("id")
      .where("organizationId", "=", organizationId)
      .where("userId", "=", user.id)
      .executeTakeFirstOrThrow()
  ).id;

const seed = async () => {
  const seeded = await fixture.seed();
  const { organizationId, member, admin } = seeded;
  return {
    ...seeded,
    ...actionsIn(organizationId),
    memberId: await memberIdOf(organizationId, member),
    adminId: await memberIdOf(organizationId, admin),
  };
};

const teams = { team: ["create", "update"] };

describe("a role that an organization makes itself", () => {
  test("is created, read, changed and deleted, with each step in the audit", async () => {
    const { organizationId, owner, member, create, get, list, update, remove } = await seed();
    const made = await create(owner, "captain", { team: ["create", "create", "update"] });
    expect(made).toEqual({
      success: true,
      roleData: {
        id: expect.any(String),
        organizationId,
        role: "captain",
        permission: teams,
        createdAt: expect.any(Date),
        updatedAt: null,
      },
      statements: teams,
    });
    const { id: roleId } = made.roleData;
    expect(await list(member)).toEqual([made.roleData]);
    expect(await get(member, { roleName: "Captain" })).toEqual(made.roleData);
    const changed = await update(owner, { roleId }, { permission: { team: ["delete"] } });
    expect(changed.roleData).toMatchObject({ role: "captain", permission: { team: ["delete"] } });
    expect(await remove(owner, { roleName: "captain" })).toEqual({ success: true });
    expect(await list(member)).toEqual([]);
    expect(await outcomeOf(get(member, { roleId }))).toBe("ROLE_NOT_FOUND");
    expect(await fixture.actionsOf(organizationId)).toEqual([
      "organization-role.created",
      "organization-role.updated",
      "organization-role.deleted",
    ]);
  });

  test("gives its members exactly its permissions, at the next check", async () => {
    const { organizationId, owner, member, memberId, create, give, update, may } = await seed();
    await create(owner, "captain", teams);
    expect(await may(member, { team: ["create"] })).toBe(false);
    await give(owner, memberId, "captain");
    expect(await may(member, { team: ["create"] })).toBe(true);
    expect(await may(member, { team: ["delete"] })).toBe(false);
    await update(owner, { roleName: "captain" }, { permission: { apiKey: ["read"] } });
    expect(await may(member, { team: ["create"] })).toBe(false);
    const body = { userId: member.user.id, organizationId, resource: "apiKey", action: "read" };
    const verdict = await replyOf(authorizeMember(deps, callOf(member, { body })));
    expect(verdict).toEqual({ verdict: "allowed" });
  });

  test("grants nothing while the option is off", async () => {
    const { organizationId, owner, member, memberId, create, give } = await seed();
    await create(owner, "captain", teams);
    await give(owner, memberId, "captain");
    const off = actionsIn(organizationId, fixture.depsWith());
    expect(await off.may(member, { team: ["create"] })).toBe(false);
    expect(await outcomeOf(off.give(owner, memberId, "captain"))).toBe("VALIDATION_ERROR");
  });

  test.each<[string, (world: Awaited<ReturnType<typeof seed>>) => Promise<unknown>, string]>([
    [
      "a name of the options",
      ({ owner, create }) => create(owner, "admin", {}),
      "ROLE_NAME_IS_ALREADY_TAKEN",
    ],
    [
      "an unknown resource",
      ({ owner, create }) => create(owner, "x", { rocket: ["fly"] }),
      "INVALID_RESOURCE",
    ],
    [
      "an unknown action",
      ({ owner, create }) => create(owner, "x", { team: ["sink"] }),
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
    ],
    [
      "no permission to make roles",
      ({ member, create }) => create(member, "x", {}),
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
    ],
    [
      "no membership",
      ({ create }) => create(newPerson(), "x", {}),
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
    ],
    [
      "a role of the options to delete",
      ({ owner, remove }) => remove(owner, { roleName: "admin" }),
      "CANNOT_DELETE_A_PRE_DEFINED_ROLE",
    ],
    [
      "a role of the options to change",
      ({ owner, update }) => update(owner, { roleName: "admin" }, { permission: {} }),
      "ROLE_NOT_FOUND",
    ],
    [
      "a role that nobody made to give",
      ({ owner, memberId, give }) => give(owner, memberId, "nobody"),
      "VALIDATION_ERROR",
    ],
  ])("is refused for %s", async (_what, attempt, refusal) => {
    expect(await outcomeOf(attempt(await seed()))).toBe(refusal);
  });

  /** Attack: a name that members hold from a dropped role of the options is made, which gives all of them its permissions. */
  test("does not take a name that members already hold", async () => {
    const { owner, memberId, create, update } = await seed();
    await db.updateTable("member").set({ role: "auditor" }).where("id", "=", memberId).execute();
    const refusal = "ROLE_NAME_IS_ALREADY_TAKEN";
    expect(await outcomeOf(create(owner, "auditor", teams))).toBe(refusal);
    await create(owner, "captain", teams);
    expect(await outcomeOf(update(owner, { roleName: "captain" }, { roleName: "auditor" }))).toBe(
      refusal,
    );
  });
});

/** Attack: a member makes, changes, deletes or gives a role with a permission that they lack. */
describe("permissions beyond those of the caller", () => {
  const deletion = { organization: ["delete"] };

  test("cannot be put into a role, and are named in the refusal", async () => {
    const { admin, create, update } = await seed();
    const refused = await create(admin, "boss", { ...deletion, ...teams }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
      missingPermissions: ["organization:delete"],
    });
    await create(admin, "captain", teams);
    expect(await outcomeOf(update(admin, { roleName: "captain" }, { permission: deletion }))).toBe(
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
    );
  });

  test("protect a role from being changed, renamed and deleted", async () => {
    const { owner, admin, create, update, remove } = await seed();
    await create(owner, "boss", deletion);
    const boss = { roleName: "boss" };
    for (const data of [{ permission: {} }, { roleName: "chief" }])
      expect(await outcomeOf(update(admin, boss, data))).toBe(
        "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
      );
    expect(await outcomeOf(remove(admin, boss))).toBe("YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE");
  });

  test("protect a role from being given, and its members from being changed or removed", async () => {
    const { organizationId, owner, admin, memberId, create, give } = await seed();
    await create(owner, "boss", deletion);
    const refused = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";
    expect(await outcomeOf(give(admin, memberId, "boss"))).toBe(refused);
    const email = `${newTextId()}@example.com`.toLowerCase();
    const invite = fixture.invite({ organizationId, by: admin, email }, { role: "boss" }, deps);
    expect(await outcomeOf(invite)).toBe("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
    await give(owner, memberId, "boss");
    expect(await outcomeOf(give(admin, memberId, "member"))).toBe(refused);
    const removal = removeMemberBy(deps, { organizationId, target: { id: memberId }, ...admin });
    expect(await outcomeOf(removal)).toBe("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER");
  });

  /** The roles of a caller are not combined within one request, but each permission may come from another role. */
  test("void an invitation whose inviter's role has lost one of them", async () => {
    const { organizationId, owner, memberId, member, create, give, update } = await seed();
    const inviting = { invitation: ["create"] };
    await create(owner, "recruiter", { ...inviting, ...teams });
    await create(owner, "captain", teams);
    await give(owner, memberId, "recruiter");
    const guest = newPerson();
    const who = { organizationId, by: member, email: guest.user.email };
    const { id } = await fixture.invite(who, { role: "captain" }, deps);
    await update(owner, { roleName: "recruiter" }, { permission: inviting });
    expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe("INVITATION_NOT_FOUND");
  });
});

describe("under concurrency", () => {
  test("one of sixteen roles of one name is made", async () => {
    const { owner, create, list } = await seed();
    expect(await tally(many(() => create(owner, "captain", teams)))).toEqual({
      done: 1,
      ROLE_NAME_IS_ALREADY_TAKEN: callers - 1,
    });
    expect(await list(owner)).toHaveLength(1);
  });

  test("an organization makes no more roles than the options allow", async () => {
    const limited = fixture.depsWith({
      tree: {
        organization: { dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 3 } },
      },
    });
    const { organizationId, owner } = await seed();
    const { create, list } = actionsIn(organizationId, limited);
    expect(await tally(many((index) => create(owner, `role-${index}`, {})))).toEqual({
      done: 3,
      TOO_MANY_ROLES: callers - 3,
    });
    expect(await list(owner)).toHaveLength(3);
  });

  test("members never keep a name from before a rename, however they get the role meanwhile", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { organizationId, owner, memberId, adminId, create, give, update } = await seed();
      await create(owner, "captain", teams);
      await create(owner, "sailor", {});
      const guests = many(() => newPerson());
      const enrol = ({ user }: Person) =>
        addMemberBy(deps, {
          organizationId,
          userId: user.id,
          role: "sailor,captain",
          extra: {},
          actor: { kind: "service", id: "test" },
        });
      const outcomes = await tally([
        ...guests.slice(0, 7).map(enrol),
        update(owner, { roleName: "captain" }, { roleName: "skipper" }),
        ...[memberId, adminId].map((id) => give(owner, id, "captain")),
        ...guests.slice(7, 13).map(enrol),
      ]);
      const { VALIDATION_ERROR: late = 0 } = outcomes;
      expect(outcomes["done"]).toBe(callers - late);
      const roles = await db
        .selectFrom("member")
        .select("role")
        .where("organizationId", "=", organizationId)
        .execute();
      expect(roles.filter(({ role }) => role.split(",").includes("captain"))).toEqual([]);
    }
  });

  test("a role is not deleted while it is given", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, memberId, create, give, remove, list } = await seed();
      await create(owner, "captain", teams);
      await tally(
        many((index) =>
          index % 2 ? give(owner, memberId, "captain") : remove(owner, { roleName: "captain" }),
        ),
      );
      const isHeld = (await roleOf(memberId)) === "captain";
      expect(await list(owner)).toHaveLength(isHeld ? 1 : 0);
    }
  });

  test("a member who loses a permission in the same moment puts it into no role", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, admin, adminId, create, give, list } = await seed();
      const keys = { apiKey: ["create"] };
      const [demotion, creation] = await Promise.all([
        outcomeOf(give(owner, adminId, "member")),
        outcomeOf(create(admin, "keys", keys)),
      ]);
      expect(demotion).toBe("done");
      expect(await list(owner)).toHaveLength(creation === "done" ? 1 : 0);
      expect(await outcomeOf(create(admin, "later", keys))).toBe(
        "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
      );
    }
  });
});

test("members and pending invitations follow a new name", async () => {
  const { organizationId, owner, memberId, create, give, update, remove } = await seed();
  await create(owner, "captain", teams);
  await give(owner, memberId, "member,captain");
  const guest = newPerson();
  const who = { organizationId, by: owner, email: guest.user.email };
  const { id } = await fixture.invite(who, { role: "captain" }, deps);
  await update(owner, { roleName: "captain" }, { roleName: "skipper" });
  expect(await roleOf(memberId)).toBe("member,skipper");
  const inUse = "ROLE_IS_ASSIGNED_TO_MEMBERS";
  await give(owner, memberId, "member");
  expect(await outcomeOf(remove(owner, { roleName: "skipper" }))).toBe(inUse);
  const accepted = await replyOf(fixture.accept(guest, id, deps));
  expect(accepted.member.role).toBe("skipper");
  expect(await outcomeOf(remove(owner, { roleName: "skipper" }))).toBe(inUse);
});

/** Attack: an owner of one organization uses the role of another, by its id or its name. */
test("answers a role of another organization like an unknown one", async () => {
  const [one, other] = [await seed(), await seed()];
  const { roleData } = await other.create(other.owner, "captain", teams);
  for (const named of [{ roleId: roleData.id }, { roleName: "captain" }]) {
    const trials = [
      one.get(one.owner, named),
      one.update(one.owner, named, { permission: {} }),
      one.remove(one.owner, named),
    ];
    expect(await tally(trials)).toEqual({ ROLE_NOT_FOUND: 3 });
  }
  expect(await outcomeOf(one.give(one.owner, one.memberId, "captain"))).toBe("VALIDATION_ERROR");
  expect(await outcomeOf(other.list(one.owner))).toBe("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
});
