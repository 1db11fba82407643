import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { byService, signUpAs } from "./admin-people.ts";
import {
  openRows,
  password,
  refusal,
  type Rows,
  type Seen,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import {
  accept,
  create,
  done,
  enrol,
  invite,
  newSlug,
  ofOrganizations,
  organizationConfig,
  send,
  sendInside,
  type ShownInvitation,
  type ShownMember,
  type ShownOrganization,
  untilWorksIn,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

const memberNotFound = refusal(400, "MEMBER_NOT_FOUND", "Member not found");
const shownUser = ({ user: { id }, email }: SignedUp) => ({ id, name: "Ada", email, image: null });

interface Page {
  members: ShownMember[];
  total: number;
  nextCursor?: string;
}
const list = (person: SignedUp, query: object = {}): Promise<Page> =>
  done(send<Page>(person, ofOrganizations.listMembers, { query: { ...query } }));
const remove = (
  person: SignedUp,
  memberIdOrEmail: string,
): Promise<Seen<{ member: ShownMember }>> =>
  send(person, ofOrganizations.removeMember, { body: { memberIdOrEmail } });

describe("members", () => {
  let stack: Stack;
  let rows: Rows;
  let owner: SignedUp;
  let guest: SignedUp;
  let organization: ShownOrganization;
  beforeAll(async () => {
    const config = organizationConfig({ sendInvitationMail: false, membershipLimit: 5 });
    stack = await startStack({ stores: "postgres", config });
    rows = openRows(stack);
    owner = await signUp(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  beforeEach(async () => {
    organization = await create(owner);
    guest = await signUp(stack);
  });
  const enrolGuest = (own: object = {}) =>
    enrol(stack, guest, { organizationId: organization.id, ...own });
  /** Deletes an account without an event, as after a restored backup. */
  const loseAccount = ({ user }: SignedUp) =>
    rows.ask('delete from identity."user" where id = $1', user.id);
  const addMember = (own: object) =>
    sendInside(stack, ofOrganizations.addMember, {
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
    const { getFullOrganization } = ofOrganizations;
    expect(await done(send(owner, getFullOrganization))).toMatchObject({ members: shown });
    expect(await remove(owner, guest.email)).toEqual(memberNotFound);
    const nobody = { id: guest.user.id, name: "", email: "", image: null };
    expect((await done(remove(owner, member.id))).member).toEqual({ ...member, user: nobody });
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
    expect(await worksIn(guest.browser)).toBeNull();
    const audit = await rows.ask(
      "select actor_kind, actor_id from organization.audit where action = 'member.added' and after->>'id' = $1",
      member.id,
    );
    expect(audit).toEqual([byService]);
  });

  test("a service cannot add a member twice, without organization, role or team, or over the limit", async () => {
    const strangers = await Promise.all(Array.from({ length: 4 }, () => signUp(stack)));
    const refused: [own: object, code: string][] = [
      [{ organizationId: undefined }, "NO_ACTIVE_ORGANIZATION"],
      [{ organizationId: "unknown" }, "ORGANIZATION_NOT_FOUND"],
      [{ userId: "unknown" }, "USER_NOT_FOUND"],
      [{ userId: owner.user.id }, "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION"],
      [{ role: "boss" }, "VALIDATION_ERROR"],
      [{ teamId: "any" }, "TEAMS_ARE_NOT_ENABLED"],
    ];
    for (const [own, code] of refused)
      expect([own, await addMember(own)]).toMatchObject([own, { status: 400, body: { code } }]);
    for (const { user } of strangers) await done(addMember({ userId: user.id }));
    expect(await addMember({})).toEqual(
      refusal(
        403,
        "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
        "Organization membership limit reached",
      ),
    );
    expect((await list(owner)).total).toBe(5);
  });

  test("a service creates an organization for an existing user only", async () => {
    const { createOrganizationFor } = ofOrganizations;
    const body = { name: "Theirs", slug: newSlug(), userId: guest.user.id };
    const founded = await done(
      sendInside<ShownOrganization>(stack, createOrganizationFor, { body }),
    );
    expect(founded.members).toMatchObject([{ userId: guest.user.id, role: "owner" }]);
    expect(await worksIn(guest.browser)).toBeNull();
    for (const userId of [undefined, "", "unknown"])
      expect(
        await sendInside(stack, createOrganizationFor, {
          body: { name: "Theirs", slug: newSlug(), userId },
        }),
      ).toEqual(refusal(401, "UNAUTHORIZED", "Unauthorized"));
  });

  test("members are listed with their users, filtered, sorted and paged", async () => {
    const people = [owner, guest, await signUp(stack), await signUp(stack)];
    for (const person of people.slice(1))
      await enrol(stack, person, { organizationId: organization.id });
    const pages: ShownMember[][] = [];
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
    const made = await create(owner, { metadata, logo });
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
    const { setActiveOrganization, getFullOrganization, listOrganizations } = ofOrganizations;
    expect(await done(send(owner, setActiveOrganization, { body }))).toEqual(full);
    expect(await done(send(owner, getFullOrganization, { query: body }))).toEqual(full);
    expect(await done(send(owner, listOrganizations))).toContainEqual(row);
    const changed = await done(
      send(owner, ofOrganizations.updateOrganization, { body: { data: { metadata: {} } } }),
    );
    expect(changed).toEqual({ ...row, metadata: {} });
    const unchanged = await done(
      send(owner, ofOrganizations.updateOrganization, { body: { data: {} } }),
    );
    expect(unchanged).toEqual(changed);
    const deleted = await done(send(owner, ofOrganizations.deleteOrganization, { body }));
    expect(deleted).toEqual({ ...row, metadata: "{}" });
    expect(await create(owner)).not.toHaveProperty("metadata");
    expect(await done(send(owner, getFullOrganization))).toMatchObject({ metadata: null });
  });
});

const fates = [
  { onLastOwnerDeleted: "delete", stores: "postgres" },
  { onLastOwnerDeleted: "delete", stores: "redis" },
  { onLastOwnerDeleted: "keep", stores: "postgres" },
  { onLastOwnerDeleted: "keep", stores: "redis" },
] as const;

describe.each(fates)(
  "when an account is deleted, with onLastOwnerDeleted $onLastOwnerDeleted and sessions in $stores",
  ({ onLastOwnerDeleted, stores }) => {
    let stack: Stack;
    let operator: SignedUp;
    let owner: SignedUp;
    let member: SignedUp;
    let organization: ShownOrganization;
    beforeAll(async () => {
      const user = { deleteUser: { enabled: true, confirmByMail: false } };
      const config = organizationConfig(
        { onLastOwnerDeleted, sendInvitationMail: false },
        { user, session: { cookieCache: { enabled: true } } },
      );
      stack = await startStack({ stores, config });
      operator = await signUpAs(stack, "admin");
    });
    afterAll(() => stack.stop());
    beforeEach(async () => {
      owner = await signUp(stack);
      member = await signUp(stack);
      organization = await create(owner);
      await accept(member, (await invite(owner, member.email)).id);
    });
    const endAccount = async ({ browser }: SignedUp) => {
      expect((await browser.post("/delete-user", { password })).status).toBe(200);
    };
    const shown = () =>
      send<{ members: ShownMember[]; invitations: ShownInvitation[] }>(
        operator,
        ofOrganizations.adminGetOrganization,
        { params: { id: organization.id } },
      );
    const memberIds = async () => (await shown()).body.members.map(({ userId }) => userId);
    /** Waits until there are `count` memberships, including those of deleted users. */
    const untilMembers = (count: number) =>
      until(async () => (await list(member)).total === count, { describe: `${count} members` });

    test("a member's membership ends, with the invitations sent by them and to them", async () => {
      const organizationId = organization.id;
      const leaver = await signUp(stack);
      await enrol(stack, leaver, { organizationId, role: "admin" });
      const joined = await signUp(stack);
      await accept(joined, (await invite(leaver, joined.email, { organizationId })).id);
      await invite(leaver, "sent@example.com", { organizationId });
      const kept = await invite(owner, "kept@example.com");
      const elsewhere = await signUp(stack);
      const another = await create(elsewhere);
      await invite(elsewhere, leaver.email);
      await endAccount(leaver);
      expect((await list(member)).total).toBe(3);
      const { invitations } = (await shown()).body;
      expect(invitations.map(({ email, status }) => [email, status])).toEqual([
        [member.email, "accepted"],
        [kept.email, "pending"],
      ]);
      const listed = () =>
        done(send<ShownInvitation[]>(elsewhere, ofOrganizations.listInvitations));
      expect(await listed()).toEqual([]);
      expect([await worksIn(owner.browser), await worksIn(elsewhere.browser)]).toEqual([
        organization.id,
        another.id,
      ]);
    });

    test("an organization remains when one of its owners is deleted", async () => {
      const second = await signUp(stack);
      await enrol(stack, second, { organizationId: organization.id, role: "owner" });
      await endAccount(owner);
      expect((await list(member)).total).toBe(2);
      expect(await memberIds()).toEqual([member.user.id, second.user.id]);
      expect(await worksIn(member.browser)).toBe(organization.id);
    });

    if (onLastOwnerDeleted === "delete")
      test("an organization is deleted with its last owner, and no session works there", async () => {
        await endAccount(owner);
        await untilWorksIn(member.browser, null);
        expect(await shown()).toEqual(
          refusal(400, "ORGANIZATION_NOT_FOUND", "Organization not found"),
        );
        expect(await done(send(member, ofOrganizations.listOrganizations))).toEqual([]);
        await create(await signUp(stack), { slug: organization.slug });
      });
    else
      test("an organization remains without its last owner, and an admin can name another", async () => {
        await endAccount(owner);
        await untilMembers(1);
        expect(await worksIn(member.browser)).toBe(organization.id);
        const body = { memberId: (await shown()).body.members[0]?.id, role: "owner" };
        const params = { id: organization.id };
        await done(send(operator, ofOrganizations.adminSetMemberRole, { params, body }));
        await done(
          send(member, ofOrganizations.updateOrganization, { body: { data: { name: "Ours" } } }),
        );
      });
  },
);
