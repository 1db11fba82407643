import { createAuthClient } from "better-auth/client";
import { organizationClient } from "better-auth/client/plugins";
import { createAccessControl } from "better-auth/plugins/access";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { organizationClient as organizationClient12 } from "better-auth-1-2/client/plugins";
import { createAccessControl as createAccessControl12 } from "better-auth-1-2/plugins/access";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testIf } from "../harness/matrix.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { versionsOnStores } from "./versions-on-stores.ts";

const password = "correct horse battery";
interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

// Roles as an application declares them: once for its clients and once for Latchkey.
const statements = {
  organization: ["update", "delete"],
  member: ["create", "update", "delete"],
  invitation: ["create", "cancel"],
  team: ["create", "update", "delete"],
  invoice: ["read", "pay"],
  ac: ["create", "read", "update", "delete"],
} as const;
type Allowed = { [Resource in keyof typeof statements]?: (typeof statements)[Resource][number][] };
const everything: Allowed = {
  member: ["create", "update", "delete"],
  invitation: ["create", "cancel"],
  team: ["create", "update", "delete"],
  invoice: ["read", "pay"],
  ac: ["create", "read", "update", "delete"],
};
const allowed = {
  owner: { ...everything, organization: ["update", "delete"] },
  admin: { ...everything, organization: ["update"] },
  member: { invoice: ["read"], ac: ["read"] },
  cashier: { invoice: ["read", "pay"] },
} satisfies Record<string, Allowed>;

const rolesBy = <Role>(newRole: (own: Allowed) => Role) => ({
  owner: newRole(allowed.owner),
  admin: newRole(allowed.admin),
  member: newRole(allowed.member),
  cashier: newRole(allowed.cashier),
});
const access17 = () => {
  const ac = createAccessControl(statements);
  return {
    ac,
    roles: rolesBy((own) => ac.newRole(own)),
    teams: { enabled: true },
    dynamicAccessControl: { enabled: true },
    schema: {
      organization: { additionalFields: { vatId: { type: "string", required: false } } },
      invitation: { additionalFields: { note: { type: "string", required: false } } },
      team: { additionalFields: { color: { type: "string", required: false } } },
      member: { additionalFields: { title: { type: "string", required: false, input: false } } },
    },
  } as const;
};
const access12 = () => {
  const ac = createAccessControl12(statements);
  // The library requires every resource in a role, although only by its type.
  const roles = rolesBy((own) => ac.newRole(own as Required<Allowed>));
  return { ac, roles, teams: { enabled: true } } as const;
};

const make17 = (options: Options) =>
  createAuthClient({ ...options, plugins: [organizationClient(access17())] });
type Client = ReturnType<typeof make17>;
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({
      ...options,
      plugins: [organizationClient12(access12()) as never], // its types are less strict than ours
    }) as unknown as Client, // the same calls with different types
};

const worlds = versionsOnStores(makers);

const systems = new Map<string, System>();
beforeAll(async () => {
  for (const stores of ["postgres", "redis"] as const)
    systems.set(
      stores,
      await startSystem({
        stores,
        config: {
          session: { cookieCache: { enabled: true } },
          organization: {
            teams: { enabled: true },
            dynamicAccessControl: { enabled: true },
            roles: allowed,
            schema: {
              organization: {
                additionalFields: {
                  vatId: { type: "string", required: false },
                  grade: { type: "number", input: false, defaultValue: 1 },
                },
              },
              invitation: { additionalFields: { note: { type: "string", required: false } } },
              team: { additionalFields: { color: { type: "string", required: false } } },
              member: {
                additionalFields: {
                  title: { type: "string", input: false, defaultValue: "Sailor" },
                },
              },
            },
          },
        },
      }),
    );
});
afterAll(async () => {
  for (const system of systems.values()) await system.stop();
});

let count = 0;

describe.each(worlds)(
  "organizations of the published client $version, sessions in $stores",
  ({ stores, version, make }) => {
    const system = () => systems.get(stores)!; // started before any test
    const newName = () => `firm-${version.replace(".", "-")}-${stores}-${(count += 1)}`;

    const signUp = async () => {
      const { cookieFetch } = createCookieFetch(system().origin);
      const client = make({
        baseURL: system().url,
        fetchOptions: { customFetchImpl: cookieFetch },
      });
      const email = `${newName()}@example.com`;
      const { data, error } = await client.signUp.email({ name: "Ada", email, password });
      expect(error).toBeNull();
      return { client, email, id: data!.user.id };
    };

    const signUpWithOrganization = async () => {
      const owner = await signUp();
      const slug = newName();
      const created = await owner.client.organization.create({ name: "Acme", slug });
      expect(created.error).toBeNull();
      return { owner, slug, organizationId: created.data!.id };
    };

    const join = async (
      { owner, organizationId }: Awaited<ReturnType<typeof signUpWithOrganization>>,
      role: "owner" | "admin" | "member" | "cashier" = "member",
    ) => {
      const joined = await signUp();
      const { email } = joined;
      const invited = await owner.client.organization.inviteMember({ email, role, organizationId });
      const invitationId = invited.data!.id;
      const { data } = await joined.client.organization.acceptInvitation({ invitationId });
      return { ...joined, memberId: data!.member.id };
    };

    test("sets and reads additional fields, and invites to several teams", async () => {
      const owner = await signUp();
      const { organization } = owner.client;
      const fields = { vatId: "DE1", grade: 9 };
      const created = await organization.create({ name: "Acme", slug: newName(), ...fields });
      expect(created.data).toMatchObject({
        vatId: "DE1",
        grade: 1,
        members: [{ title: "Sailor" }],
      });
      const organizationId = created.data!.id;
      const changed = await organization.update({ organizationId, data: { vatId: "DE2" } });
      expect(changed.data).toMatchObject({ name: "Acme", vatId: "DE2", grade: 1 });
      const teams = [];
      for (const color of ["red", "blue"]) {
        const { data } = await organization.createTeam({ name: color, organizationId, color });
        expect(data).toMatchObject({ name: color, color });
        teams.push(data!.id);
      }
      const [red] = teams;
      const painted = await organization.updateTeam({
        teamId: red!,
        data: { organizationId, color: "pink" },
      });
      expect(painted.data).toMatchObject({ name: "red", color: "pink" });
      const guest = await signUp();
      const invited = await organization.inviteMember({
        email: guest.email,
        role: "member",
        organizationId,
        teamId: teams,
        note: "Welcome",
      });
      expect(invited.data).toMatchObject({ note: "Welcome", teamId: teams.join(",") });
      const accepted = await guest.client.organization.acceptInvitation({
        invitationId: invited.data!.id,
      });
      expect(accepted.data).toMatchObject({
        invitation: { note: "Welcome" },
        member: { title: "Sailor", teamId: red },
      });
      const full = await organization.getFullOrganization({ query: { organizationId } });
      expect(full.data).toMatchObject({ vatId: "DE2", invitations: [{ note: "Welcome" }] });
      expect((full.data as { teams?: { color: string }[] } | null)?.teams).toContainEqual(
        expect.objectContaining({ color: "pink" }),
      );
      expect((await organization.list()).data).toContainEqual(
        expect.objectContaining({ id: organizationId, vatId: "DE2" }),
      );
    });
    // Older clients send the same requests for these.
    const testOnce = testIf(version === "1.7");

    test("creates, finds, activates, changes and deletes an organization", async () => {
      const { client, id: userId } = await signUp();
      const slug = newName();
      expect((await client.organization.checkSlug({ slug })).data).toEqual({ status: true });
      const created = await client.organization.create({
        name: "Acme",
        slug,
        metadata: { plan: "free" },
      });
      expect(created.data).toMatchObject({
        slug,
        metadata: { plan: "free" },
        members: [{ userId, role: "owner" }],
      });
      const organizationId = created.data!.id;
      expect((await client.organization.checkSlug({ slug })).error).toMatchObject({
        status: 400,
        code: "SLUG_IS_TAKEN",
      });
      expect((await client.organization.create({ name: "Other", slug })).error).toMatchObject({
        code: "ORGANIZATION_ALREADY_EXISTS",
      });
      expect((await client.organization.list()).data).toMatchObject([{ id: organizationId, slug }]);

      const active = async () => (await client.getSession()).data?.session.activeOrganizationId;
      expect(await active()).toBe(organizationId);
      expect((await client.organization.setActive({ organizationId: null })).data).toBeNull();
      expect(await active()).toBeNull();
      expect((await client.organization.getFullOrganization()).data).toBeNull();
      const chosen = await client.organization.setActive({ organizationSlug: slug });
      expect(chosen.data).toMatchObject({ id: organizationId });
      expect(await active()).toBe(organizationId);

      const data = { name: "Acme & Co.", metadata: { plan: "paid" } };
      expect((await client.organization.update({ data })).data).toMatchObject({ ...data, slug });
      expect((await client.organization.getFullOrganization()).data).toMatchObject({
        name: "Acme & Co.",
        members: [{ userId, role: "owner", user: { id: userId, name: "Ada" } }],
        invitations: [],
        teams: [{ name: "Acme" }],
      });

      expect((await client.organization.delete({ organizationId })).data).toMatchObject({ slug });
      expect((await client.organization.list()).data).toEqual([]);
      expect(await active()).toBeNull();
    });

    test("fills the page hooks of the active organization and member", async () => {
      const { client, id: userId } = await signUp();
      const pages = {
        organizations: client.useListOrganizations,
        organization: client.useActiveOrganization,
        member: client.useActiveMember,
      };
      const load = async () => {
        for (const page of Object.values(pages)) await page.get().refetch();
      };
      await client.organization.create({ name: "Acme", slug: newName() });
      await load();
      expect(pages.organizations.get().data).toMatchObject([{ name: "Acme" }]);
      expect(pages.organization.get().data).toMatchObject({ members: [{ userId }] });
      expect(pages.member.get().data).toMatchObject({ userId, role: "owner" });
      await client.organization.setActive({ organizationId: null });
      await load();
      expect(pages.organization.get().data).toBeNull();
      expect(pages.member.get().error).toMatchObject({ status: 400 });
    });

    testOnce("invites a user, who reads the invitation and accepts it", async () => {
      const { owner, organizationId, slug } = await signUpWithOrganization();
      const { client, email, id: userId } = await signUp();
      const invited = await owner.client.organization.inviteMember({
        email: email.toUpperCase(),
        role: ["member", "cashier"],
      });
      expect(invited.data).toMatchObject({ email, role: "member,cashier", status: "pending" });
      const id = invited.data!.id;
      expect((await client.organization.getInvitation({ query: { id } })).data).toMatchObject({
        id,
        organizationName: "Acme",
        organizationSlug: slug,
        inviterEmail: owner.email,
      });
      expect((await client.organization.listUserInvitations()).data).toMatchObject([
        { id, organizationName: "Acme" },
      ]);
      const { links } = await system().smtp.waitForMail(email);
      expect(links[0]?.split("?")[0]).toBe(`${system().origin}/accept-invitation/${id}`);

      const accepted = await client.organization.acceptInvitation({ invitationId: id });
      expect(accepted.data).toMatchObject({
        invitation: { id, status: "accepted" },
        member: { userId, organizationId, role: "member,cashier" },
      });
      expect((await client.getSession()).data?.session.activeOrganizationId).toBe(organizationId);
      expect((await client.organization.getActiveMember()).data).toMatchObject({
        userId,
        role: "member,cashier",
        user: { id: userId, email },
      });
      expect((await client.organization.listInvitations()).data).toMatchObject([
        { id, status: "accepted" },
      ]);
      const again = await client.organization.acceptInvitation({ invitationId: id });
      expect(again.error).toMatchObject({ status: 400, code: "INVITATION_NOT_FOUND" });
    });

    testOnce("rejects an invitation, and cancels one", async () => {
      const { owner } = await signUpWithOrganization();
      const { client, email } = await signUp();
      const invite = async () => {
        const invited = await owner.client.organization.inviteMember({ email, role: "member" });
        return invited.data!.id;
      };
      const refused = await invite();
      expect(
        (await owner.client.organization.inviteMember({ email, role: "member" })).error,
      ).toMatchObject({ code: "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION" });
      const rejected = await client.organization.rejectInvitation({ invitationId: refused });
      expect(rejected.data).toMatchObject({ invitation: { status: "rejected" }, member: null });
      const withdrawn = await invite();
      const canceled = await owner.client.organization.cancelInvitation({
        invitationId: withdrawn,
      });
      expect(canceled.data).toMatchObject({ id: withdrawn, status: "canceled" });
      for (const invitationId of [refused, withdrawn])
        expect((await client.organization.acceptInvitation({ invitationId })).error).toMatchObject({
          code: "INVITATION_NOT_FOUND",
        });
      expect((await owner.client.organization.listInvitations()).data).toMatchObject([
        { status: "rejected" },
        { status: "canceled" },
      ]);
    });

    testOnce("shows an invitation only to its recipient", async () => {
      const { owner } = await signUpWithOrganization();
      const { email } = await signUp();
      const invited = await owner.client.organization.inviteMember({ email, role: "member" });
      const invitationId = invited.data!.id;
      const stranger = (await signUp()).client.organization;
      for (const { error } of [
        await stranger.acceptInvitation({ invitationId }),
        await stranger.rejectInvitation({ invitationId }),
        await stranger.getInvitation({ query: { id: invitationId } }),
      ])
        expect(error).toMatchObject({
          status: 403,
          code: "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
        });
    });

    testOnce("client and server agree on the permissions of a role", async () => {
      const world = await signUpWithOrganization();
      const members = { member: await join(world), cashier: await join(world, "cashier") };
      for (const [role, { client }] of Object.entries(members))
        for (const [permissions, roles] of [
          [{ invoice: ["pay"] }, ["cashier"]],
          [{ invoice: ["read"] }, ["member", "cashier"]],
          [{ member: ["delete"] }, []],
        ] as [{ invoice?: ("pay" | "read")[]; member?: "delete"[] }, string[]][]) {
          const query = { role: role as keyof typeof members, permissions };
          expect(client.organization.checkRolePermission(query)).toBe(roles.includes(role));
          const { data } = await client.organization.hasPermission({ permissions });
          expect(data).toEqual({ error: null, success: roles.includes(role) });
        }
    });

    test("changes roles, and removes members, who lose the organization in every session", async () => {
      const world = await signUpWithOrganization();
      const { client, email, memberId } = await join(world);
      expect((await client.organization.update({ data: { name: "Mine" } })).error).toMatchObject({
        status: 403,
        code: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
      });
      const own = world.owner.client.organization;
      const changed = await own.updateMemberRole({ memberId, role: "admin" });
      expect(changed.data).toMatchObject({ id: memberId, role: "admin" });
      expect((await client.organization.update({ data: { name: "Ours" } })).error).toBeNull();

      const removed = await own.removeMember({ memberIdOrEmail: email.toUpperCase() });
      expect(removed.data).toMatchObject({ member: { id: memberId, user: { email } } });
      await until(
        async () => (await client.getSession()).data?.session.activeOrganizationId === null,
      );
      expect((await client.organization.getActiveMember()).error).toMatchObject({
        status: 400,
        code: "NO_ACTIVE_ORGANIZATION",
      });
      const { organizationId } = world;
      expect((await client.organization.setActive({ organizationId })).error).toMatchObject({
        status: 403,
        code: "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
      });
    });

    testOnce("leaves, unless no other owner remains", async () => {
      const world = await signUpWithOrganization();
      const { client, memberId, id: userId } = await join(world);
      const { organizationId, owner } = world;
      expect((await owner.client.organization.leave({ organizationId })).error).toMatchObject({
        status: 400,
        code: "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
      });
      await owner.client.organization.updateMemberRole({ memberId, role: "owner" });
      const answer = await owner.client.organization.leave({ organizationId });
      expect(answer.data).toMatchObject({ userId: owner.id, role: "owner" });
      const { data } = await owner.client.getSession();
      expect(data?.session.activeOrganizationId).toBeNull();
      expect((await client.organization.getFullOrganization()).data).toMatchObject({
        members: [{ userId }],
      });
    });

    testOnce("lists members by page and by role", async () => {
      const world = await signUpWithOrganization();
      const { id: userId } = await join(world, "cashier");
      await join(world);
      const own = world.owner.client.organization;
      const first = await own.listMembers({ query: { limit: 1 } });
      expect(first.data).toMatchObject({ members: [{ userId: world.owner.id }], total: 3 });
      const cashiers = await own.listMembers({
        query: { filterField: "role", filterValue: "cashier", sortBy: "createdAt" },
      });
      expect(cashiers.data).toMatchObject({
        members: [{ userId, user: { id: userId, name: "Ada" } }],
        total: 1,
      });
    });

    test("creates, lists, renames and removes teams, and invites into one", async () => {
      const world = await signUpWithOrganization();
      const own = world.owner.client.organization;
      const created = await own.createTeam({ name: "Sales" });
      expect(created.data).toMatchObject({ name: "Sales", organizationId: world.organizationId });
      const teamId = created.data!.id;
      expect((await own.listTeams()).data).toMatchObject([{ name: "Acme" }, { name: "Sales" }]);
      const renamed = await own.updateTeam({ teamId, data: { name: "Field sales" } });
      expect(renamed.data).toMatchObject({ id: teamId, name: "Field sales" });

      const { client, email } = await signUp();
      const invited = await own.inviteMember({ email, role: "member", teamId });
      const invitationId = invited.data!.id;
      expect((await client.organization.acceptInvitation({ invitationId })).data).toMatchObject({
        member: { teamId },
      });
      expect((await client.organization.removeTeam({ teamId })).error?.status).toBe(403);
      expect((await own.removeTeam({ teamId })).data).toEqual({
        message: "Team removed successfully.",
      });
      expect((await client.organization.getActiveMember()).data).toMatchObject({ teamId: null });
      // The founder belongs to the first team, and members cannot remove a team that they belong to.
      const [first] = (await own.listTeams()).data!;
      expect((await own.removeTeam({ teamId: first!.id })).error).toMatchObject({
        status: 403,
        code: "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
      });
    });

    // The client of 1.2 has no such calls. It sees the first team of a member and the names of roles.
    if (version === "1.2") return;

    test("puts a member into several teams, one of which is active in the session", async () => {
      const world = await signUpWithOrganization();
      const { organizationId, slug } = world;
      const own = world.owner.client.organization;
      const { client, id: userId } = await join(world);
      const teamIds = [];
      for (const name of ["Sales", "Support"]) {
        const teamId = (await own.createTeam({ name })).data!.id;
        teamIds.push(teamId);
        const added = await own.addTeamMember({ teamId, userId });
        expect(added.data).toMatchObject({ teamId, userId });
      }
      const [teamId = "", second = ""] = teamIds;
      const listed = await client.organization.listUserTeams();
      expect(listed.data?.map(({ id }) => id)).toEqual(teamIds);
      expect((await client.organization.getActiveMember()).data).toMatchObject({ teamId });
      const chosen = await client.organization.setActiveTeam({ teamId: second });
      expect(chosen.data).toMatchObject({ id: second, name: "Support" });
      const active = async () => (await client.getSession()).data?.session.activeTeamId;
      expect(await active()).toBe(second);
      expect((await client.organization.listTeamMembers()).data).toMatchObject([
        { teamId: second, userId },
      ]);
      const others = await client.organization.listTeamMembers({ query: { teamId: "unknown" } });
      expect(others.error).toMatchObject({ code: "TEAM_NOT_FOUND" });
      expect((await own.removeTeamMember({ teamId: second, userId })).data).toEqual({
        message: "Team member removed successfully.",
      });
      await until(async () => (await active()) === null);
      expect((await client.organization.getActiveMemberRole()).data).toEqual({ role: "member" });
      const query = { organizationSlug: slug };
      expect((await client.organization.getOrganization({ query })).data).toMatchObject({
        id: organizationId,
        slug,
      });
    });

    test("makes, reads, changes and deletes a role of the organization", async () => {
      const world = await signUpWithOrganization();
      const own = world.owner.client.organization;
      const permission = { invoice: ["read", "pay"] } as const;
      const made = await own.createRole({
        role: "Treasurer",
        permission: { ...permission } as never,
      });
      expect(made.data).toMatchObject({
        success: true,
        roleData: { role: "treasurer", permission },
        statements: permission,
      });
      const { client, memberId } = await join(world);
      await own.updateMemberRole({ memberId, role: "treasurer" });
      const pays = async () =>
        (await client.organization.hasPermission({ permissions: { invoice: ["pay"] } })).data;
      expect(await pays()).toEqual({ error: null, success: true });
      const renamed = await own.updateRole({
        roleName: "treasurer",
        data: { roleName: "bursar", permission: { invoice: ["read"] } },
      });
      expect(renamed.data).toMatchObject({ roleData: { role: "bursar" } });
      expect(await pays()).toEqual({ error: null, success: false });
      expect((await own.listRoles()).data).toMatchObject([{ role: "bursar" }]);
      const query = { roleName: "bursar" };
      expect((await own.getRole({ query })).data).toMatchObject({
        role: "bursar",
        permission: { invoice: ["read"] },
      });
      expect((await own.deleteRole(query)).error).toMatchObject({
        status: 400,
        code: "ROLE_IS_ASSIGNED_TO_MEMBERS",
      });
      await own.updateMemberRole({ memberId, role: "member" });
      expect((await own.deleteRole(query)).data).toEqual({ success: true });
      const refused = await own.createRole({
        role: "x",
        permission: { organization: ["sell"] },
      });
      expect(refused.error).toMatchObject({
        status: 403,
        code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
        missingPermissions: ["organization:sell"],
      });
    });
  },
);
