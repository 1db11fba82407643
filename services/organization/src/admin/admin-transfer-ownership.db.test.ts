import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminRemoveMember, adminTransferOwnership } from "./members.ts";

expectNoLeaks("file");

const admin = newPerson({ role: "admin" });
const fixture = await openOrganizations();

const transfer = (id: string, memberId: string, previousOwnerRole?: string) =>
  replyOf(
    adminTransferOwnership(
      fixture.deps,
      callBy(admin, { params: { id }, body: { memberId, previousOwnerRole } }),
    ),
  );

/** Creates an organization with members of these roles. */
const seed = async (...roles: string[]) => {
  const people = roles.map(() => newPerson());
  const { organization, memberOf } = await seedOrganization(
    fixture.db,
    people.map((person, index) => ({ person, role: roles[index] ?? "member" })),
  );
  return { id: organization.id, members: people.map(memberOf) };
};

const rolesIn = async (organizationId: string): Promise<string[]> => {
  const rows = await fixture.db
    .selectFrom("member")
    .select("role")
    .where("organizationId", "=", organizationId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ role }) => role);
};

describe("a transfer of ownership by an admin", () => {
  test("replaces the roles of all present owners and records each change", async () => {
    const { id, members } = await seed("owner", "owner,admin", "member", "admin");
    const [first, second, third] = members;
    expect(await transfer(id, third?.id ?? "", "admin")).toMatchObject({
      member: { id: third?.id, role: "owner" },
      previousOwners: [
        { id: first?.id, role: "admin" },
        { id: second?.id, role: "admin" },
      ],
    });
    expect(await rolesIn(id)).toEqual(["admin", "admin", "owner", "admin"]);
    const change = (member: typeof first, after: string) => ({
      actorKind: "user",
      actorId: admin.user.id,
      action: "member.role-changed",
      before: { id: member?.id, userId: member?.userId, role: member?.role },
      after: { id: member?.id, userId: member?.userId, role: after },
    });
    expect(await fixture.auditOf(id)).toEqual([
      change(third, "owner"),
      change(first, "admin"),
      change(second, "admin"),
    ]);
  });

  test("keeps the present owners unless it names another role", async () => {
    const { id, members } = await seed("owner", "member");
    const { previousOwners } = await transfer(id, members[1]?.id ?? "");
    expect(previousOwners).toEqual([]);
    expect(await rolesIn(id)).toEqual(["owner", "owner"]);
  });

  test("makes a present owner the only one, with their other roles", async () => {
    const { id, members } = await seed("owner", "owner,admin");
    await transfer(id, members[1]?.id ?? "", "member");
    expect(await rolesIn(id)).toEqual(["member", "owner,admin"]);
  });

  test("gives an owner to an organization without one", async () => {
    const { id, members } = await seed("member");
    await transfer(id, members[0]?.id ?? "", "member");
    expect(await rolesIn(id)).toEqual(["owner"]);
  });

  test("leaves exactly one owner after sixteen concurrent transfers to different members", async () => {
    const { id, members } = await seed("owner", ...Array.from({ length: 16 }, () => "member"));
    const trials = members.slice(1).map((member) => transfer(id, member.id, "member"));
    expect(await tally(trials)).toEqual({ done: 16 });
    expect((await rolesIn(id)).filter((role) => role === "owner")).toHaveLength(1);
  });

  test("leaves an owner while its new owners are removed concurrently", async () => {
    const { id, members } = await seed("owner", ...Array.from({ length: 8 }, () => "member"));
    const trials = members
      .slice(1)
      .flatMap((member) => [
        transfer(id, member.id, "member"),
        replyOf(
          adminRemoveMember(
            fixture.deps,
            callBy(admin, { params: { id }, body: { memberId: member.id } }),
          ),
        ),
      ]);
    await tally(trials);
    expect((await rolesIn(id)).filter((role) => role === "owner")).toHaveLength(1);
  });

  test("changes nothing for a member of another organization", async () => {
    const [one, other] = [await seed("owner"), await seed("owner", "member")];
    for (const [id, memberId] of [
      [one.id, other.members[1]?.id ?? ""],
      [one.id, newTextId()],
      [newTextId(), other.members[1]?.id ?? ""],
    ] as const)
      expect(await outcomeOf(transfer(id, memberId, "member"))).toBe("MEMBER_NOT_FOUND");
    expect(await fixture.auditOf(one.id)).toEqual([]);
    expect(await rolesIn(other.id)).toEqual(["owner", "member"]);
  });
});
