import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { byService } from "../harness/audit.ts";
import { matrix } from "../harness/matrix.ts";
import { callInternal, callOperation, expectOk } from "../harness/operations.ts";
import {
  acceptInvitation,
  activeOrganizationOf,
  addMember,
  createOrganization,
  type InvitationView,
  inviteMember,
  type MemberView,
  newSlug,
  organizationConfig,
  organizationOperations,
  type OrganizationView,
  untilActiveOrganization,
} from "../harness/organizations.ts";
import { type ClientResponse, errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const memberNotFound = errorResponse(400, "MEMBER_NOT_FOUND", "Member not found");
const shownUser = ({ user: { id }, email }: TestUser) => ({ id, name: "Ada", email, image: null });

interface Page {
  members: MemberView[];
  total: number;
  nextCursor?: string;
}
const list = (person: TestUser, query: object = {}): Promise<Page> =>
  expectOk(
    callOperation<Page>(person, organizationOperations.listMembers, { query: { ...query } }),
  );
const remove = (
  person: TestUser,
  memberIdOrEmail: string,
): Promise<ClientResponse<{ member: MemberView }>> =>
  callOperation(person, organizationOperations.removeMember, { body: { memberIdOrEmail } });

describe("members", () => {
  let guest: TestUser;
  let organization: OrganizationView;
  const config = organizationConfig({ sendInvitationMail: false, membershipLimit: 5 });
  const { system, rows, user: owner } = useSystem({ stores: "postgres", config });
  beforeEach(async () => {
    organization = await createOrganization(owner);
    guest = await signUp(system);
  });
  const enrolGuest = (own: object = {}) =>
    addMember(system, guest, { organizationId: organization.id, ...own });
  /** Deletes an account without an event, as after a restored backup. */
  const loseAccount = ({ user }: TestUser) =>
    rows.query('delete from identity."user" where id = $1', user.id);
  const tryAddMember = (own: object) =>
    callInternal(system, organizationOperations.addMember, {
      body: { userId: guest.user.id, role: "member", organizationId: organization.id, ...own },
    });

  test("a member is removed by address, in any case", async () => {
    const member = await enrolGuest();
    expect(await remove(owner, guest.email.toUpperCase())).toEqual({
      status: 200,
      body: { member: { ...member, user: shownUser(guest) } },
      cookies: [],
    });
    expect(await remove(owner, guest.email)).toEqual(memberNotFound);
    expect((await list(owner)).total).toBe(1);
  });

  test("a member whose account is missing is hidden, blocks nothing, and can be removed", async () => {
    const member = await enrolGuest();
    await loseAccount(guest);
    const shown = [{ ...organization.members[0], user: shownUser(owner) }];
    expect((await list(owner)).members).toEqual(shown);
    const { getFullOrganization } = organizationOperations;
    expect(await expectOk(callOperation(owner, getFullOrganization))).toMatchObject({
      members: shown,
    });
    expect(await remove(owner, guest.email)).toEqual(memberNotFound);
    const nobody = { id: guest.user.id, name: "", email: "", image: null };
    expect((await expectOk(remove(owner, member.id))).member).toEqual({ ...member, user: nobody });
    expect((await list(owner)).total).toBe(1);
  });

  test("a service adds a member with several roles, and changes no session", async () => {
    const member = await enrolGuest({ role: ["admin", " member", "admin"] });
    expect(member).toEqual({
      id: expect.any(String),
      organizationId: organization.id,
      userId: guest.user.id,
      role: "admin,member",
      createdAt: expect.any(String),
    });
    expect(await activeOrganizationOf(guest.browser)).toBeNull();
    const audit = await rows.query(
      "select actor_kind, actor_id from organization.audit where action = 'member.added' and after->>'id' = $1",
      member.id,
    );
    expect(audit).toEqual([byService]);
  });

  test("a service cannot add a member twice, without organization, role or team, or over the limit", async () => {
    const strangers = await Promise.all(Array.from({ length: 4 }, () => signUp(system)));
    const refused: [own: object, code: string][] = [
      [{ organizationId: undefined }, "NO_ACTIVE_ORGANIZATION"],
      [{ organizationId: "unknown" }, "ORGANIZATION_NOT_FOUND"],
      [{ userId: "unknown" }, "USER_NOT_FOUND"],
      [{ userId: owner.user.id }, "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION"],
      [{ role: "boss" }, "VALIDATION_ERROR"],
      [{ teamId: "any" }, "TEAMS_ARE_NOT_ENABLED"],
    ];
    for (const [own, code] of refused)
      expect([own, await tryAddMember(own)]).toMatchObject([own, { status: 400, body: { code } }]);
    for (const { user } of strangers) await expectOk(tryAddMember({ userId: user.id }));
    expect(await tryAddMember({})).toEqual(
      errorResponse(
        403,
        "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
        "Organization membership limit reached",
      ),
    );
    expect((await list(owner)).total).toBe(5);
  });

  test("a service creates an organization for an existing user only", async () => {
    const { createOrganizationFor } = organizationOperations;
    const body = { name: "Theirs", slug: newSlug(), userId: guest.user.id };
    const founded = await expectOk(
      callInternal<OrganizationView>(system, createOrganizationFor, { body }),
    );
    expect(founded.members).toMatchObject([{ userId: guest.user.id, role: "owner" }]);
    expect(await activeOrganizationOf(guest.browser)).toBeNull();
    for (const userId of [undefined, "", "unknown"])
      expect(
        await callInternal(system, createOrganizationFor, {
          body: { name: "Theirs", slug: newSlug(), userId },
        }),
      ).toEqual(errorResponse(401, "UNAUTHORIZED", "Unauthorized"));
  });

  test("members are listed with their users, filtered, sorted and paged", async () => {
    const people = [owner, guest, await signUp(system), await signUp(system)];
    for (const person of people.slice(1))
      await addMember(system, person, { organizationId: organization.id });
    const pages: MemberView[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(owner, { limit: 3, ...(cursor && { cursor }) });
      expect(page.total).toBe(4);
      pages.push(page.members);
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages.map(({ length }) => length)).toEqual([3, 1]);
    expect(pages.flat().map(({ user }) => user)).toEqual(people.map(shownUser));
    const filter = { filterField: "role", filterOperator: "ne", filterValue: "owner" };
    const sorted = await list(owner, { ...filter, sortBy: "createdAt", sortDirection: "desc" });
    expect(sorted).toMatchObject({ total: 3 });
    expect(sorted.members.map(({ userId }) => userId)).toEqual(
      people
        .slice(1)
        .map(({ user }) => user.id)
        .toReversed(),
    );
    const bySlug = await list(owner, { organizationSlug: organization.slug, limit: "1" });
    expect(bySlug.members).toHaveLength(1);
  });

  test("metadata is an object when written, and its text when read", async () => {
    const metadata = { plan: "gold", seats: [1, { ä: null }] };
    const logo = "https://example.com/logo.png";
    const made = await createOrganization(owner, { metadata, logo });
    expect(made).toMatchObject({ metadata, logo });
    const row = {
      id: made.id,
      name: "Acme",
      slug: made.slug,
      logo,
      createdAt: expect.any(String),
      metadata: JSON.stringify(metadata),
    };
    const full = {
      ...row,
      invitations: [],
      members: [{ ...made.members[0], user: shownUser(owner) }],
      teams: null,
    };
    const body = { organizationId: made.id };
    const { setActiveOrganization, getFullOrganization, listOrganizations } =
      organizationOperations;
    expect(await expectOk(callOperation(owner, setActiveOrganization, { body }))).toEqual(full);
    expect(await expectOk(callOperation(owner, getFullOrganization, { query: body }))).toEqual(
      full,
    );
    expect(await expectOk(callOperation(owner, listOrganizations))).toContainEqual(row);
    const changed = await expectOk(
      callOperation(owner, organizationOperations.updateOrganization, {
        body: { data: { metadata: {} } },
      }),
    );
    expect(changed).toEqual({ ...row, metadata: {} });
    const unchanged = await expectOk(
      callOperation(owner, organizationOperations.updateOrganization, { body: { data: {} } }),
    );
    expect(unchanged).toEqual(changed);
    const deleted = await expectOk(
      callOperation(owner, organizationOperations.deleteOrganization, { body }),
    );
    expect(deleted).toEqual({ ...row, metadata: "{}" });
    expect(await createOrganization(owner)).not.toHaveProperty("metadata");
    expect(await expectOk(callOperation(owner, getFullOrganization))).toMatchObject({
      metadata: null,
    });
  });
});

const fates = matrix(
  [
    { onLastOwnerDeleted: "delete", stores: "postgres" },
    { onLastOwnerDeleted: "keep", stores: "redis" },
  ],
  [
    { onLastOwnerDeleted: "delete", stores: "redis" },
    { onLastOwnerDeleted: "keep", stores: "postgres" },
  ],
).flat();

describe.each(fates)(
  "when an account is deleted, with onLastOwnerDeleted $onLastOwnerDeleted and sessions in $stores",
  ({ onLastOwnerDeleted, stores }) => {
    let owner: TestUser;
    let member: TestUser;
    let organization: OrganizationView;
    const user = { deleteUser: { enabled: true, confirmByMail: false } };
    const config = organizationConfig(
      { onLastOwnerDeleted, sendInvitationMail: false },
      { user, session: { cookieCache: { enabled: true } } },
    );
    const { system, admin: operator } = useSystem({ stores, config });
    beforeEach(async () => {
      owner = await signUp(system);
      member = await signUp(system);
      organization = await createOrganization(owner);
      await acceptInvitation(member, (await inviteMember(owner, member.email)).id);
    });
    const endAccount = async ({ browser }: TestUser) => {
      expect((await browser.post("/delete-user", { password })).status).toBe(200);
    };
    const shown = () =>
      callOperation<{ members: MemberView[]; invitations: InvitationView[] }>(
        operator,
        organizationOperations.adminGetOrganization,
        { params: { id: organization.id } },
      );
    const memberIds = async () => (await shown()).body.members.map(({ userId }) => userId);
    /** Waits until there are `count` memberships, including those of deleted users. */
    const untilMembers = (count: number) =>
      until(async () => (await list(member)).total === count, { describe: `${count} members` });

    test("a member's membership ends, with the invitations sent by them and to them", async () => {
      const organizationId = organization.id;
      const leaver = await signUp(system);
      await addMember(system, leaver, { organizationId, role: "admin" });
      const joined = await signUp(system);
      await acceptInvitation(
        joined,
        (await inviteMember(leaver, joined.email, { organizationId })).id,
      );
      await inviteMember(leaver, "sent@example.com", { organizationId });
      const pending = await inviteMember(owner, "kept@example.com");
      const elsewhere = await signUp(system);
      const another = await createOrganization(elsewhere);
      await inviteMember(elsewhere, leaver.email);
      await endAccount(leaver);
      expect((await list(member)).total).toBe(3);
      const { invitations } = (await shown()).body;
      expect(invitations.map(({ email, status }) => [email, status])).toEqual([
        [member.email, "accepted"],
        [pending.email, "pending"],
      ]);
      const listed = () =>
        expectOk(
          callOperation<InvitationView[]>(elsewhere, organizationOperations.listInvitations),
        );
      expect(await listed()).toEqual([]);
      expect([
        await activeOrganizationOf(owner.browser),
        await activeOrganizationOf(elsewhere.browser),
      ]).toEqual([organization.id, another.id]);
    });

    test("an organization remains when one of its owners is deleted", async () => {
      const second = await signUp(system);
      await addMember(system, second, { organizationId: organization.id, role: "owner" });
      await endAccount(owner);
      expect((await list(member)).total).toBe(2);
      expect(await memberIds()).toEqual([member.user.id, second.user.id]);
      expect(await activeOrganizationOf(member.browser)).toBe(organization.id);
    });

    if (onLastOwnerDeleted === "delete")
      test("an organization is deleted with its last owner, and no session works there", async () => {
        await endAccount(owner);
        await untilActiveOrganization(member.browser, null);
        expect(await shown()).toEqual(
          errorResponse(400, "ORGANIZATION_NOT_FOUND", "Organization not found"),
        );
        expect(
          await expectOk(callOperation(member, organizationOperations.listOrganizations)),
        ).toEqual([]);
        await createOrganization(await signUp(system), { slug: organization.slug });
      });
    else
      test("an organization remains without its last owner, and an admin can name another", async () => {
        await endAccount(owner);
        await untilMembers(1);
        expect(await activeOrganizationOf(member.browser)).toBe(organization.id);
        const body = { memberId: (await shown()).body.members[0]?.id, role: "owner" };
        const params = { id: organization.id };
        await expectOk(
          callOperation(operator, organizationOperations.adminSetMemberRole, { params, body }),
        );
        await expectOk(
          callOperation(member, organizationOperations.updateOrganization, {
            body: { data: { name: "Ours" } },
          }),
        );
      });
  },
);
