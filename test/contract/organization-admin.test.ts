import type { OperationReply, Wire } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { validationError } from "../harness/api-key-errors.ts";
import { byUser } from "../harness/audit.ts";
import { callOperation, expectOk, type Sent } from "../harness/operations.ts";
import {
  acceptInvitation,
  activeOrganizationOf,
  addMember,
  ageInvitations,
  createOrganization,
  type InvitationView,
  inviteMember,
  type MemberView,
  newSlug,
  organizationConfig,
  organizationOperations,
  type OrganizationView,
} from "../harness/organizations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

type Joined = Wire<OperationReply<typeof organizationOperations.adminListUserOrganizations>>;

let owner: TestUser;
let organization: OrganizationView;
const { system, rows, admin } = useSystem({ stores: "postgres", config: organizationConfig() });
beforeEach(async () => {
  owner = await signUp(system);
  organization = await createOrganization(owner);
});

const act = <Body>(name: keyof typeof organizationOperations, sent: Sent) =>
  callOperation<Body>(admin, organizationOperations[name], {
    params: { id: organization.id },
    ...sent,
  });

const auditOf = (action: string) =>
  rows.query(
    "select actor_kind, actor_id from organization.audit where action = $1 and subject_id = $2",
    action,
    organization.id,
  );

const notFound = (what: string) =>
  errorResponse(400, `${what.toUpperCase()}_NOT_FOUND`, `${what} not found`);

describe("the organizations of a user", () => {
  const list = (id: string, query: object = {}) =>
    expectOk(
      callOperation<Joined>(admin, organizationOperations.adminListUserOrganizations, {
        params: { id },
        query: { ...query },
      }),
    );

  test("are paged by join time, with the user's role in each", async () => {
    const user = await signUp(system);
    const founded = await createOrganization(user);
    const member = await addMember(system, user, {
      organizationId: organization.id,
      role: "admin",
    });
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
    const answer = callOperation(admin, organizationOperations.adminListUserOrganizations, {
      params: { id: "any" },
      query: { [member]: value },
    });
    expect(await answer).toEqual(validationError("query", member));
  });
});

describe("the members of an organization", () => {
  type Members = Wire<OperationReply<typeof organizationOperations.adminListOrganizationMembers>>;
  const list = (query: object = {}) =>
    act<Members>("adminListOrganizationMembers", { query: { ...query } });
  const emailsOf = async (query: object) =>
    (await expectOk(list(query))).members.map(({ user }) => user.email);

  test("are paged and searched, with their roles, whoever they are", async () => {
    const [one, other] = [await signUp(system), await signUp(system)];
    const { id: organizationId } = organization;
    const member = await addMember(system, one, { organizationId, role: "member,admin" });
    await addMember(system, other, { organizationId });
    const page = await expectOk(list({ limit: 1 }));
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
    const last = await signUp(system);
    await addMember(system, last, { organizationId: organization.id, role: "admin" });
    await rows.query(
      "insert into organization.member (id, organization_id, user_id, role, created_at) select $1 || n, $1, 'somebody' || n, 'member', '2020-01-01' from generate_series(1, 1000) n",
      organization.id,
    );
    for (const query of [{ searchValue: last.email }, { role: "admin" }])
      expect(await emailsOf(query)).toEqual([last.email]);
    const shown = await expectOk(act<{ memberCount: number }>("adminGetOrganization", {}));
    expect(shown.memberCount).toBe(1_002);
  });

  test.each([
    ["limit", "1001"],
    ["cursor", "garbage"],
    ["sortDirection", "up"],
    ["role", "x".repeat(65)],
  ])("rejects the %s %s", async (name, value) => {
    expect(await list({ [name]: value })).toEqual(validationError("query", name));
  });

  test("are not found without an organization", async () => {
    const answer = await act("adminListOrganizationMembers", { params: { id: "nothing" } });
    expect(answer).toEqual(notFound("Organization"));
  });
});

describe("an organization that an admin creates", () => {
  const create = (body: object, name = "Acme") =>
    callOperation<OrganizationView>(admin, organizationOperations.adminCreateOrganization, {
      body: { name, ...body },
    });

  test("belongs to the chosen user, and the audit log names the admin", async () => {
    const user = await signUp(system);
    const slug = newSlug();
    const created = await expectOk(
      create({ slug, userId: user.user.id, metadata: { plan: "big" } }),
    );
    expect(created).toMatchObject({ name: "Acme", slug, metadata: '{"plan":"big"}' });
    const params = { id: created.id };
    const shown = await expectOk(act<OrganizationView>("adminGetOrganization", { params }));
    expect(shown.members).toMatchObject([{ userId: user.user.id, role: "owner" }]);
    expect(await activeOrganizationOf(user.browser)).toBeNull();
    const entries = await rows.query(
      "select actor_kind, actor_id, action from organization.audit where subject_id = $1 order by id",
      created.id,
    );
    expect(entries).toEqual([
      { ...byUser(admin), action: "organization.created" },
      { ...byUser(admin), action: "member.added" },
    ]);
  });

  matrixTest("is one for 16 concurrent requests for a slug", async () => {
    const slug = newSlug();
    const answers = await race(() => create({ slug, userId: owner.user.id }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array.from({ length: 15 }, () =>
        errorResponse(400, "ORGANIZATION_ALREADY_EXISTS", "Organization already exists"),
      ),
    );
  });

  test("needs a known user", async () => {
    const slug = newSlug();
    expect(await create({ slug, userId: "nobody" })).toEqual(notFound("User"));
  });
});

describe("options that keep users from creating organizations", () => {
  const config = organizationConfig({
    allowUserToCreateOrganization: false,
    organizationLimit: 4,
  });
  const { system: strict } = useSystem({ stores: "postgres", config });

  test("do not keep an admin from it, but the limit per user does", async () => {
    const [operator, { user }] = [await signUpAs(strict, "admin"), await signUp(strict)];
    const create = () =>
      callOperation(operator, organizationOperations.adminCreateOrganization, {
        body: { name: "Acme", slug: newSlug(), userId: user.id },
      });
    const answers = await race(create);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.find(({ status }) => status !== 200)).toEqual(
      errorResponse(
        403,
        "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS",
        "You have reached the maximum number of organizations",
      ),
    );
  });
});

describe("an organization", () => {
  const update = (body: object) => act<OrganizationView>("adminUpdateOrganization", { body });

  test("is renamed by an admin who is not a member, who is named in the audit log", async () => {
    const slug = newSlug();
    const changed = await expectOk(
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
    const { slug: takenSlug } = await createOrganization(owner);
    const exists = errorResponse(400, "ORGANIZATION_ALREADY_EXISTS", "Organization already exists");
    expect(await update({ slug: takenSlug })).toEqual(exists);
    const others = await Promise.all(Array.from({ length: 16 }, () => createOrganization(owner)));
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
    expect(await update({ [member]: value })).toEqual(validationError("body", member));
  });

  test("must exist to be changed", async () => {
    const sent = { params: { id: "nothing" }, body: { name: "Bolt" } };
    expect(await act("adminUpdateOrganization", sent)).toEqual(notFound("Organization"));
  });
});

describe("a member", () => {
  test("is removed, and their sessions leave the organization", async () => {
    const guest = await signUp(system);
    const { id: invitationId } = await inviteMember(owner, guest.email);
    const { member } = await acceptInvitation(guest, invitationId);
    expect(await activeOrganizationOf(guest.browser)).toBe(organization.id);
    const removed = await expectOk(
      act<MemberView>("adminRemoveMember", { body: { memberId: member.id } }),
    );
    expect(removed).toMatchObject({ id: member.id, userId: guest.user.id, role: "member" });
    expect(await activeOrganizationOf(guest.browser)).toBeNull();
    expect(await auditOf("member.removed")).toEqual([byUser(admin)]);
    const body = { memberId: member.id };
    expect(await act("adminRemoveMember", { body })).toEqual(notFound("Member"));
  });

  test("cannot be removed as the last owner, and of two owners one remains after 16 concurrent calls", async () => {
    const other = await signUp(system);
    const [first, second] = [
      organization.members[0]?.id,
      (await addMember(system, other, { organizationId: organization.id, role: "owner" })).id,
    ];
    const answers = await race((index) =>
      act("adminRemoveMember", { body: { memberId: index % 2 === 0 ? first : second } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers).toContainEqual(
      errorResponse(
        400,
        "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
        "You cannot leave the organization as the only owner",
      ),
    );
  });
});

describe("an invitation", () => {
  const mailsTo = (email: string) => system.smtp.mails.filter(({ to }) => to.includes(email));

  test("is mailed once by 16 concurrent resends, in the name of its sender", async () => {
    const email = newEmail();
    const { id: invitationId } = await inviteMember(owner, email);
    const resend = () => act<InvitationView>("adminResendInvitation", { body: { invitationId } });
    expect(await resend()).toMatchObject({ status: 429 });
    await ageInvitations(rows);
    const answers = await race(resend);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    await system.smtp.waitForMail(() => mailsTo(email).length === 2);
    for (const { text } of mailsTo(email)) {
      expect(text).toContain(owner.email);
      expect(text).not.toContain(admin.email);
    }
    expect(await auditOf("invitation.resent")).toEqual([byUser(admin)]);
  });

  test("that is canceled cannot be accepted or sent again", async () => {
    const guest = await signUp(system);
    const { id: invitationId } = await inviteMember(owner, guest.email);
    const body = { invitationId };
    expect(await expectOk(act("adminCancelInvitation", { body }))).toMatchObject({
      id: invitationId,
      status: "canceled",
    });
    expect(await auditOf("invitation.canceled")).toEqual([byUser(admin)]);
    expect(
      await callOperation(guest, organizationOperations.acceptInvitation, { body }),
    ).toMatchObject({
      status: 400,
    });
    await ageInvitations(rows);
    expect(await act("adminResendInvitation", { body })).toEqual(notFound("Invitation"));
  });

  test("is resent and canceled only as part of its own organization", async () => {
    const { id: invitationId } = await inviteMember(owner, newEmail());
    await ageInvitations(rows);
    const other = await createOrganization(owner);
    for (const name of ["adminResendInvitation", "adminCancelInvitation"] as const)
      for (const sent of [
        { params: { id: other.id }, body: { invitationId } },
        { body: { invitationId: "nothing" } },
      ])
        expect(await act(name, sent)).toEqual(notFound("Invitation"));
  });
});
