import { type OperationReply, type Wire } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { byUser, race, signUpAs } from "./admin-people.ts";
import { invalid } from "./api-key-people.ts";
import {
  newEmail,
  openRows,
  refusal,
  type Rows,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import {
  accept,
  ageInvitations,
  create,
  done,
  enrol,
  invite,
  newSlug,
  ofOrganizations,
  organizationConfig,
  send,
  type Sent,
  type ShownInvitation,
  type ShownMember,
  type ShownOrganization,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

type Joined = Wire<OperationReply<typeof ofOrganizations.adminListUserOrganizations>>;

let stack: Stack;
let rows: Rows;
let admin: SignedUp;
let owner: SignedUp;
let organization: ShownOrganization;
beforeAll(async () => {
  stack = await startStack({ stores: "postgres", config: organizationConfig() });
  rows = openRows(stack);
  admin = await signUpAs(stack, "admin");
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
});
beforeEach(async () => {
  owner = await signUp(stack);
  organization = await create(owner);
});

const act = <Body>(name: keyof typeof ofOrganizations, sent: Sent) =>
  send<Body>(admin, ofOrganizations[name], { params: { id: organization.id }, ...sent });

const auditOf = (action: string) =>
  rows.ask(
    "select actor_kind, actor_id from organization.audit where action = $1 and subject_id = $2",
    action,
    organization.id,
  );

const notFound = (what: string) =>
  refusal(400, `${what.toUpperCase()}_NOT_FOUND`, `${what} not found`);

describe("the organizations of a user", () => {
  const list = (id: string, query: object = {}) =>
    done(
      send<Joined>(admin, ofOrganizations.adminListUserOrganizations, {
        params: { id },
        query: { ...query },
      }),
    );

  test("are paged by join time, with the user's role in each", async () => {
    const user = await signUp(stack);
    const founded = await create(user);
    const member = await enrol(stack, user, { organizationId: organization.id, role: "admin" });
    const page = await list(user.user.id, { limit: 1 });
    expect(page).toMatchObject({
      organizations: [{ id: founded.id, slug: founded.slug, role: "owner" }],
      total: 2,
      nextCursor: expect.any(String) as string,
    });
    const { nextCursor: cursor = "" } = page;
    expect(await list(user.user.id, { limit: 1, cursor })).toStrictEqual({
      organizations: [
        {
          id: organization.id,
          name: "Acme",
          slug: organization.slug,
          logo: null,
          metadata: null,
          createdAt: expect.any(String) as string,
          role: "admin",
          memberId: member.id,
          joinedAt: expect.any(String) as string,
        },
      ],
      total: 2,
    });
  });

  test("are empty for an unknown user", async () => {
    expect(await list("nobody")).toStrictEqual({ organizations: [], total: 0 });
  });

  test.each([
    ["limit", "1001"],
    ["cursor", "garbage"],
    ["sortDirection", "up"],
  ])("rejects %s %s", async (member, value) => {
    const answer = send(admin, ofOrganizations.adminListUserOrganizations, {
      params: { id: "any" },
      query: { [member]: value },
    });
    expect(await answer).toEqual(invalid("query", member));
  });
});

describe("the members of an organization", () => {
  type Members = Wire<OperationReply<typeof ofOrganizations.adminListOrganizationMembers>>;
  const list = (query: object = {}) =>
    act<Members>("adminListOrganizationMembers", { query: { ...query } });
  const emailsOf = async (query: object) =>
    (await done(list(query))).members.map(({ user }) => user.email);

  test("are paged and searched, with their roles, whoever they are", async () => {
    const [one, other] = [await signUp(stack), await signUp(stack)];
    const { id: organizationId } = organization;
    const member = await enrol(stack, one, { organizationId, role: "member,admin" });
    await enrol(stack, other, { organizationId });
    const page = await done(list({ limit: 1 }));
    expect(page).toMatchObject({
      members: [{ role: "owner", user: { id: owner.user.id, email: owner.email } }],
      total: 3,
      nextCursor: expect.any(String) as string,
    });
    const { nextCursor: cursor } = page;
    expect(await emailsOf({ limit: 2, cursor })).toEqual([one.email, other.email]);
    expect(await emailsOf({ sortDirection: "desc" })).toEqual([
      other.email,
      one.email,
      owner.email,
    ]);
    expect(await emailsOf({ role: "admin" })).toEqual([one.email]);
    for (const searchValue of [one.email.toUpperCase(), one.user.id, member.id])
      expect(await emailsOf({ searchValue })).toEqual([one.email]);
  });

  test("are found among more than a thousand", async () => {
    const last = await signUp(stack);
    await enrol(stack, last, { organizationId: organization.id, role: "admin" });
    await rows.ask(
      "insert into organization.member (id, organization_id, user_id, role, created_at) select $1 || n, $1, 'somebody' || n, 'member', '2020-01-01' from generate_series(1, 1000) n",
      organization.id,
    );
    for (const query of [{ searchValue: last.email }, { role: "admin" }])
      expect(await emailsOf(query)).toEqual([last.email]);
    const shown = await done(act<{ memberCount: number }>("adminGetOrganization", {}));
    expect(shown.memberCount).toBe(1_002);
  });

  test.each([
    ["limit", "1001"],
    ["cursor", "garbage"],
    ["sortDirection", "up"],
    ["role", "x".repeat(65)],
  ])("rejects the %s %s", async (name, value) => {
    expect(await list({ [name]: value })).toEqual(invalid("query", name));
  });

  test("are not found without an organization", async () => {
    const answer = await act("adminListOrganizationMembers", { params: { id: "nothing" } });
    expect(answer).toEqual(notFound("Organization"));
  });
});

describe("an organization", () => {
  const update = (body: object) => act<ShownOrganization>("adminUpdateOrganization", { body });

  test("is renamed by an admin who is not a member, who is named in the audit log", async () => {
    const slug = newSlug();
    const changed = await done(
      update({ name: "Bolt <b>", slug, logo: "https://a.example/l.png", metadata: { a: 1 } }),
    );
    expect(changed).toMatchObject({
      id: organization.id,
      name: "Bolt <b>",
      slug,
      logo: "https://a.example/l.png",
      metadata: '{"a":1}',
    });
    expect(await auditOf("organization.updated")).toEqual([byUser(admin)]);
  });

  test("cannot get another's slug, and one of 16 concurrent requests for a slug succeeds", async () => {
    const { slug: taken } = await create(owner);
    const exists = refusal(400, "ORGANIZATION_ALREADY_EXISTS", "Organization already exists");
    expect(await update({ slug: taken })).toEqual(exists);
    const others = await Promise.all(Array.from({ length: 16 }, () => create(owner)));
    const slug = newSlug();
    const answers = await race((index) =>
      act("adminUpdateOrganization", { params: { id: others[index]?.id }, body: { slug } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array.from({ length: 15 }, () => exists),
    );
  });

  test.each([
    ["name", ""],
    ["slug", "\0"],
    ["logo", "x".repeat(8_193)],
    ["metadata", "text"],
    ["metadata", { much: "x".repeat(65_536) }],
  ])("is not changed if %s is invalid", async (member, value) => {
    expect(await update({ [member]: value })).toEqual(invalid("body", member));
  });

  test("must exist to be changed", async () => {
    const sent = { params: { id: "nothing" }, body: { name: "Bolt" } };
    expect(await act("adminUpdateOrganization", sent)).toEqual(notFound("Organization"));
  });
});

describe("a member", () => {
  test("is removed, and their sessions leave the organization", async () => {
    const guest = await signUp(stack);
    const { id: invitationId } = await invite(owner, guest.email);
    const { member } = await accept(guest, invitationId);
    expect(await worksIn(guest.browser)).toBe(organization.id);
    const removed = await done(
      act<ShownMember>("adminRemoveMember", { body: { memberId: member.id } }),
    );
    expect(removed).toMatchObject({ id: member.id, userId: guest.user.id, role: "member" });
    expect(await worksIn(guest.browser)).toBeNull();
    expect(await auditOf("member.removed")).toEqual([byUser(admin)]);
    const body = { memberId: member.id };
    expect(await act("adminRemoveMember", { body })).toEqual(notFound("Member"));
  });

  test("cannot be removed as the last owner, and of two owners one remains after 16 concurrent calls", async () => {
    const other = await signUp(stack);
    const [first, second] = [
      organization.members[0]?.id,
      (await enrol(stack, other, { organizationId: organization.id, role: "owner" })).id,
    ];
    const answers = await race((index) =>
      act("adminRemoveMember", { body: { memberId: index % 2 === 0 ? first : second } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers).toContainEqual(
      refusal(
        400,
        "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
        "You cannot leave the organization as the only owner",
      ),
    );
  });
});

describe("an invitation", () => {
  const mailsTo = (email: string) => stack.smtp.mails.filter(({ to }) => to.includes(email));

  test("is mailed once by 16 concurrent resends, in the name of its sender", async () => {
    const email = newEmail();
    const { id: invitationId } = await invite(owner, email);
    const resend = () => act<ShownInvitation>("adminResendInvitation", { body: { invitationId } });
    expect(await resend()).toMatchObject({ status: 429 });
    await ageInvitations(rows);
    const answers = await race(resend);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    await stack.smtp.waitForMail(() => mailsTo(email).length === 2);
    for (const { text } of mailsTo(email)) {
      expect(text).toContain(owner.email);
      expect(text).not.toContain(admin.email);
    }
    expect(await auditOf("invitation.resent")).toEqual([byUser(admin)]);
  });

  test("that is canceled cannot be accepted or sent again", async () => {
    const guest = await signUp(stack);
    const { id: invitationId } = await invite(owner, guest.email);
    const body = { invitationId };
    expect(await done(act("adminCancelInvitation", { body }))).toMatchObject({
      id: invitationId,
      status: "canceled",
    });
    expect(await auditOf("invitation.canceled")).toEqual([byUser(admin)]);
    expect(await send(guest, ofOrganizations.acceptInvitation, { body })).toMatchObject({
      status: 400,
    });
    await ageInvitations(rows);
    expect(await act("adminResendInvitation", { body })).toEqual(notFound("Invitation"));
  });

  test("is resent and canceled only as part of its own organization", async () => {
    const { id: invitationId } = await invite(owner, newEmail());
    await ageInvitations(rows);
    const other = await create(owner);
    for (const name of ["adminResendInvitation", "adminCancelInvitation"] as const)
      for (const sent of [
        { params: { id: other.id }, body: { invitationId } },
        { body: { invitationId: "nothing" } },
      ])
        expect(await act(name, sent)).toEqual(notFound("Invitation"));
  });
});
