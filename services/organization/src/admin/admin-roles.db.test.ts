import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import {
  adminCreateOrganizationRole,
  adminDeleteOrganizationRole,
  adminUpdateOrganizationRole,
} from "./roles.ts";

expectNoLeaks("file");

const fixture = await openOrganizations();
const tree = {
  organization: { dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 3 } },
  admin: {
    roles: {
      admin: { organization: ["update"], user: ["ban"] },
      delegate: { organization: ["update"] },
      user: {},
    },
  },
};
const deps = fixture.depsWith({ tree });
const admin = newPerson({ role: "admin" });
const byAdmin = { actorKind: "user", actorId: admin.user.id };
const teams = { team: ["create"] };

const at = (id: string, body: object, by: Person = admin) =>
  callBy(by, { params: { id }, body }) as never;
const create = (id: string, role: string, permission: object = teams, by = admin) =>
  replyOf(adminCreateOrganizationRole(deps, at(id, { role, permission }, by)));
const update = (id: string, roleId: string, data: object, using = deps, by = admin) =>
  replyOf(adminUpdateOrganizationRole(using, at(id, { roleId, data }, by)));
const remove = (id: string, roleId: string) =>
  replyOf(adminDeleteOrganizationRole(deps, at(id, { roleId })));

const seed = async (role = "member") => {
  const member = newPerson();
  const { organization, memberOf } = await seedOrganization(fixture.db, [{ person: member, role }]);
  return { id: organization.id, member, memberId: memberOf(member).id };
};
const roleOf = async (memberId: string) =>
  fixture.db.selectFrom("member").select("role").where("id", "=", memberId).executeTakeFirst();

describe("roles of an organization, as an admin", () => {
  test("are created, changed and deleted with the admin in the audit", async () => {
    const { id, memberId } = await seed("member,captain");
    expect(await outcomeOf(create(id, "captain"))).toBe("ROLE_NAME_IS_ALREADY_TAKEN");
    const made = await create(id, "sailor");
    expect(made).toMatchObject({ role: "sailor", permission: teams, organizationId: id });
    await fixture.db
      .updateTable("member")
      .set({ role: "sailor" })
      .where("id", "=", memberId)
      .execute();
    const changed = await update(id, made.id, { roleName: "skipper", permission: {} });
    expect(changed).toMatchObject({ role: "skipper", permission: {} });
    expect(await roleOf(memberId)).toEqual({ role: "skipper" });
    expect(await outcomeOf(remove(id, made.id))).toBe("ROLE_IS_ASSIGNED_TO_MEMBERS");
    await fixture.db
      .updateTable("member")
      .set({ role: "member" })
      .where("id", "=", memberId)
      .execute();
    expect(await remove(id, made.id)).toMatchObject({ role: "skipper" });
    expect(await fixture.auditOf(id)).toMatchObject([
      { ...byAdmin, action: "organization-role.created", after: { role: "sailor" } },
      { ...byAdmin, action: "organization-role.updated", after: { role: "skipper" } },
      { ...byAdmin, action: "organization-role.deleted", before: { role: "skipper" } },
    ]);
  });

  test.each([
    ["an unknown resource", { rocket: ["fly"] }, "INVALID_RESOURCE"],
    ["an action of no role", { team: ["fly"] }, "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE"],
  ])("refuse %s", async (_, permission, code) => {
    const { id } = await seed();
    expect(await outcomeOf(create(id, "pilot", permission))).toBe(code);
  });

  test("refuse a role of another organization as one that does not exist", async () => {
    const [one, other] = [await seed(), await seed()];
    const { id: roleId } = await create(other.id, "sailor");
    expect(await outcomeOf(update(one.id, roleId, { roleName: "x" }))).toBe("ROLE_NOT_FOUND");
    expect(await outcomeOf(remove(one.id, roleId))).toBe("ROLE_NOT_FOUND");
    expect(await outcomeOf(create("nowhere", "sailor"))).toBe("ORGANIZATION_NOT_FOUND");
  });

  test("are no more than the options allow, for sixteen concurrent requests", async () => {
    const { id } = await seed();
    const trials = Array.from({ length: 16 }, (_, index) => create(id, `sailor-${index}`));
    expect(await tally(trials)).toEqual({ done: 3, TOO_MANY_ROLES: 13 });
  });

  /** Attack: a delegate weakens an admin of the installation by the role that the admin has in an organization. */
  test("of a member with more power over the installation are closed to a delegate", async () => {
    const { id, member } = await seed("member");
    const { id: roleId } = await create(id, "sailor");
    await fixture.db
      .updateTable("member")
      .set({ role: "sailor" })
      .where("userId", "=", member.user.id)
      .execute();
    const reviews: { targetIds: string[] }[] = [];
    const identity = {
      ...deps.identity,
      call: async (_: unknown, { body }: { body: { targetIds: string[] } }) => {
        reviews.push(body);
        return { success: !body.targetIds.includes(member.user.id) };
      },
    } as never;
    const delegate = newPerson({ role: "delegate" });
    const limited = { ...deps, identity };
    expect(await outcomeOf(update(id, roleId, { permission: {} }, limited, delegate))).toBe(
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
    );
    expect(reviews).toMatchObject([{ targetIds: [member.user.id] }]);
  });
});
