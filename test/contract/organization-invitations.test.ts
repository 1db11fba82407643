import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { representatives } from "../harness/matrix.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import {
  acceptInvitation,
  activeOrganizationOf,
  addMember,
  ageInvitations,
  createOrganization,
  type InvitationView,
  inviteMember,
  type MemberView,
  organizationConfig,
  organizationOperations,
  type OrganizationView,
} from "../harness/organizations.ts";
import { errorResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const notFound = errorResponse(400, "INVITATION_NOT_FOUND", "Invitation not found");
const notOffered = errorResponse(400, "INVITATION_NOT_FOUND", "Invitation not found!");
const notRecipient = errorResponse(
  403,
  "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
  "You are not the recipient of the invitation",
);
const unverified = errorResponse(
  403,
  "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  "Email verification required before accepting or rejecting invitation",
);
const alreadyMember = errorResponse(
  400,
  "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
  "User is already a member of this organization",
);
const alreadyInvited = errorResponse(
  400,
  "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION",
  "User is already invited to this organization",
);

const inOtherCase = (email: string) => email.replace(/^./, (letter) => letter.toUpperCase());

/** Signs up a user with an address and no memberships. */
const join = (system: System, email: string) => signUp(system, { name: "Guest", email });

const tryInvite = (person: TestUser, email: unknown, own: object = {}) =>
  callOperation(person, organizationOperations.inviteMember, {
    body: { email, role: "member", ...own },
  });

const asking = {
  get: (person: Pick<TestUser, "browser">, id: string) =>
    callOperation(person, organizationOperations.getInvitation, { query: { id } }),
  accept: (person: Pick<TestUser, "browser">, invitationId: string) =>
    callOperation(person, organizationOperations.acceptInvitation, { body: { invitationId } }),
  reject: (person: Pick<TestUser, "browser">, invitationId: string) =>
    callOperation(person, organizationOperations.rejectInvitation, { body: { invitationId } }),
};
interface Invited {
  invitations: InvitationView[];
}
const listOwn = (person: Pick<TestUser, "browser">) =>
  callOperation<InvitationView[]>(person, organizationOperations.listUserInvitations);
const cancel = (person: TestUser, invitationId: string) =>
  callOperation(person, organizationOperations.cancelInvitation, { body: { invitationId } });
const resend = (person: TestUser, invitationId: string) =>
  callOperation<InvitationView>(person, organizationOperations.resendInvitation, {
    body: { invitationId },
  });

describe("invitations by mail", () => {
  let organization: OrganizationView;
  const {
    system,
    rows,
    user: owner,
  } = useSystem({ stores: "postgres", config: organizationConfig() });
  beforeEach(async () => {
    organization = await createOrganization(owner);
  });
  const statuses = async () => {
    const listed = await expectOk(
      callOperation<InvitationView[]>(owner, organizationOperations.listInvitations, {
        query: { organizationId: organization.id },
      }),
    );
    return listed.map(({ status }) => status);
  };
  const members = async () => {
    const { members: shown } = await expectOk(
      callOperation<{ members: MemberView[] }>(owner, organizationOperations.listMembers),
    );
    return shown.map(({ userId, role }) => ({ userId, role }));
  };

  test("the mail leads a person without an account to a membership, in any case of the address", async () => {
    const email = newEmail();
    const invitation = await inviteMember(owner, inOtherCase(email), { role: ["admin", "member"] });
    expect(invitation).toEqual({
      id: expect.any(String),
      organizationId: organization.id,
      email,
      role: "admin,member",
      status: "pending",
      expiresAt: expect.any(String),
      inviterId: owner.user.id,
    });
    const mail = await system.smtp.waitForMail(email);
    expect(mail.text).toContain(organization.name);
    const link = new URL(mail.links[0] ?? "");
    expect(link.origin + link.pathname).toBe(`${system.origin}/accept-invitation/${invitation.id}`);

    const guest = await join(system, email.toUpperCase());
    const { id, name, slug } = organization;
    const named = { organizationName: name, organizationSlug: slug };
    expect(await expectOk(listOwn(guest))).toEqual([]);
    const offered = link.pathname.split("/").at(-1) ?? "";
    expect(await expectOk(asking.get(guest, offered))).toEqual({
      ...invitation,
      ...named,
      inviterEmail: owner.email,
    });
    expect(await expectOk(listOwn(guest))).toEqual([{ ...invitation, ...named }]);
    const accepted = await acceptInvitation(guest, offered);
    expect(accepted).toEqual({
      invitation: { ...invitation, status: "accepted" },
      member: {
        id: expect.any(String),
        organizationId: id,
        userId: guest.user.id,
        role: "admin,member",
        createdAt: expect.any(String),
      },
    });
    expect(await members()).toContainEqual({ userId: guest.user.id, role: "admin,member" });
    expect(await activeOrganizationOf(guest.browser)).toBe(id);
    expect(await expectOk(listOwn(guest))).toEqual([]);
    expect(await statuses()).toEqual(["accepted"]);
    expect(await asking.accept(guest, offered)).toEqual(notFound);
  });

  test("a resent mail leads to the same invitation, whose lifetime starts anew", async () => {
    const email = newEmail();
    const { id } = await inviteMember(owner, email);
    await system.smtp.waitForMail(email);
    await rows.query(
      "update organization.invitation set expires_at = now() + interval '1 minute' where email = $1",
      email,
    );
    expect(await resend(owner, id)).toMatchObject({
      status: 429,
      body: { message: "Too many requests. Please try again later." },
    });
    const { headers } = await owner.browser.post(organizationOperations.resendInvitation.path, {
      invitationId: id,
    });
    for (const name of ["retry-after", "x-retry-after"])
      expect(headers.get(name)).toMatch(/^(60|[1-5]?\d)$/);
    await ageInvitations(rows);
    const again = await expectOk(resend(owner, id));
    expect(again.id).toBe(id);
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now() + 172_000_000);
    const sent = () => system.smtp.mails.filter(({ to }) => to.includes(email));
    await system.smtp.waitForMail(() => sent().length === 2);
    const ids = sent().flatMap(({ links }) => links.map((link) => new URL(link).pathname));
    expect(new Set(ids).size).toBe(1);
    expect(await statuses()).toEqual(["pending"]);
  });

  test("an address has one invitation at a time, in any case, unless a resend is requested", async () => {
    const email = newEmail();
    const first = await inviteMember(owner, email);
    expect(await tryInvite(owner, inOtherCase(email))).toEqual(alreadyInvited);
    const second = await inviteMember(owner, email, { resend: true });
    expect(second.id).not.toBe(first.id);
    expect(await statuses()).toEqual(["pending", "pending"]);
  });

  test("a member is not invited again, in any case of the address, and joins once", async () => {
    const guest = await signUp(system);
    const { id } = await inviteMember(owner, guest.email);
    await addMember(system, guest, { organizationId: organization.id });
    expect(await tryInvite(owner, inOtherCase(guest.email))).toEqual(alreadyMember);
    expect(await asking.accept(guest, id)).toEqual(alreadyMember);
    expect(await statuses()).toEqual(["pending"]);
  });

  test("a canceled invitation is no longer offered, but a membership from it stays", async () => {
    const guest = await signUp(system);
    const { id } = await inviteMember(owner, guest.email);
    expect(await expectOk(cancel(owner, id))).toMatchObject({ id, status: "canceled" });
    expect(await expectOk(listOwn(guest))).toEqual([]);
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.reject(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await resend(owner, id)).toEqual(notFound);
    const second = await inviteMember(owner, guest.email);
    await acceptInvitation(guest, second.id);
    expect(await expectOk(cancel(owner, second.id))).toMatchObject({ status: "canceled" });
    expect(await members()).toContainEqual({ userId: guest.user.id, role: "member" });
  });

  test("a declined invitation gives no membership and is final, but the user can be invited again", async () => {
    const guest = await signUp(system);
    const { id } = await inviteMember(owner, guest.email);
    expect(await expectOk(asking.reject(guest, id))).toMatchObject({
      invitation: { id, status: "rejected" },
      member: null,
    });
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await asking.reject(guest, id)).toEqual(notOffered);
    expect(await activeOrganizationOf(guest.browser)).toBeNull();
    await acceptInvitation(guest, (await inviteMember(owner, guest.email)).id);
    expect(await statuses()).toEqual(["rejected", "accepted"]);
  });

  test("an expired invitation does not block the next one", async () => {
    const guest = await signUp(system);
    const { id } = await inviteMember(owner, guest.email);
    await rows.query(
      "update organization.invitation set expires_at = now() where email = $1",
      guest.email,
    );
    expect(await expectOk(listOwn(guest))).toEqual([]);
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    await acceptInvitation(guest, (await inviteMember(owner, guest.email)).id);
  });

  // Attack: using a link that was forwarded, guessed or read in another mailbox.
  test.each(Object.entries(asking))(
    "only the invited user may %s an invitation, not even its sender",
    async (_, act) => {
      const guest = await signUp(system);
      const { id } = await inviteMember(owner, guest.email);
      for (const person of [owner, await signUp(system)])
        expect(await act(person, id)).toEqual(notRecipient);
      expect(await statuses()).toEqual(["pending"]);
      expect(await expectOk(act(guest, id))).toBeTruthy();
    },
  );

  // Attack: an admin who expects to be removed invites their own second address.
  test("an invitation does not outlive its sender's membership", async () => {
    const admin = await signUp(system);
    const guest = await signUp(system);
    const organizationId = organization.id;
    await addMember(system, admin, { organizationId, role: "admin" });
    const { id } = await inviteMember(admin, guest.email, { organizationId });
    const body = { organizationId };
    await expectOk(callOperation(admin, organizationOperations.leaveOrganization, { body }));
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await statuses()).toEqual(["canceled"]);
  });

  // Attack: a demoted admin returns by a second address, also after another promotion.
  test("an invitation ends when its sender may no longer invite to its role", async () => {
    const admin = await signUp(system);
    const guest = await signUp(system);
    const organizationId = organization.id;
    const { id: memberId } = await addMember(system, admin, { organizationId, role: "admin" });
    const { id } = await inviteMember(admin, guest.email, { organizationId, role: "admin" });
    for (const role of ["member", "admin"]) {
      const body = { memberId, role };
      await expectOk(callOperation(owner, organizationOperations.updateMemberRole, { body }));
      expect(await asking.accept(guest, id)).toEqual(notFound);
    }
    expect(await expectOk(listOwn(guest))).toEqual([]);
  });

  // Attack: a member reads an invitation for an owner, registers its address without verifying it, and accepts.
  test("a user cannot become owner by an invitation that members can see", async () => {
    const [member, admin] = [await signUp(system), await signUp(system)];
    const organizationId = organization.id;
    await addMember(system, member, { organizationId });
    await addMember(system, admin, { organizationId, role: "admin" });
    const email = newEmail();
    await inviteMember(owner, email, { organizationId, role: "owner" });
    const query = { organizationId };
    const idsSeenBy = async (person: TestUser) => {
      const { listInvitations, getFullOrganization, setActiveOrganization } =
        organizationOperations;
      const views = [
        {
          invitations: await expectOk(
            callOperation<InvitationView[]>(person, listInvitations, { query }),
          ),
        },
        await expectOk(callOperation<Invited>(person, getFullOrganization, { query })),
        await expectOk(callOperation<Invited>(person, setActiveOrganization, { body: query })),
      ];
      return views.flatMap(({ invitations }) => invitations.map(({ id }) => id));
    };
    const ids = [...(await idsSeenBy(member)), ...(await idsSeenBy(admin))];
    expect(ids).toHaveLength(6);

    const squatter = await join(system, email);
    expect(await expectOk(listOwn(squatter))).toEqual([]);
    for (const id of ids)
      for (const act of Object.values(asking)) {
        const { status } = await act(squatter, id);
        expect([400, 403]).toContain(status);
      }
    expect(await members()).not.toContainEqual(
      expect.objectContaining({ userId: squatter.user.id }),
    );

    const { links } = await system.smtp.waitForMail(email);
    const mailed = new URL(links[0] ?? "").pathname.split("/").at(-1) ?? "";
    expect(ids).not.toContain(mailed);
    const { member: joined } = await acceptInvitation(squatter, mailed);
    expect(joined.role).toBe("owner");
  });

  // Attack: filling another person's mailbox by creating organizations that invite it.
  test("a user can invite one address five times at once, over all organizations", async () => {
    const email = newEmail();
    for (let round = 0; round < 5; round += 1)
      await inviteMember(owner, email, { organizationId: (await createOrganization(owner)).id });
    const { id: organizationId } = await createOrganization(owner);
    expect(await tryInvite(owner, email, { organizationId })).toEqual(
      errorResponse(403, "INVITATION_LIMIT_REACHED", "Invitation limit reached"),
    );
    expect(await tryInvite(owner, newEmail(), { organizationId })).toMatchObject({ status: 200 });
  });

  test("rejects an invitation to a role that is not configured", async () => {
    for (const role of ["boss", "member,boss", ["member", "boss"], "", " , ", [], "Owner"]) {
      const answer = await tryInvite(owner, newEmail(), { role });
      const invalid = { status: 400, body: { code: "VALIDATION_ERROR" } };
      expect([role, answer]).toMatchObject([role, invalid]);
    }
    expect(await statuses()).toEqual([]);
  });

  test("rejects what is no address", async () => {
    const invalid = errorResponse(400, "INVALID_EMAIL", "Invalid email");
    for (const email of ["no address", "", null, 7, ["a@example.com"], "a@b@example.com"])
      expect([email, await tryInvite(owner, email)]).toEqual([email, invalid]);
    expect(await statuses()).toEqual([]);
  });

  // Attack: an admin gives an accomplice, and so themselves, the owner role.
  const owning = ["owner", "member,owner", " owner "];
  test.each(representatives(owning, (role) => role === "member,owner"))(
    "only an owner may invite to the roles %j, or resend that invitation",
    async (role) => {
      const admin = await signUp(system);
      await addMember(system, admin, { organizationId: organization.id, role: "admin" });
      const own = { role, organizationId: organization.id };
      const refused = errorResponse(
        403,
        "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
        "you are not allowed to invite user with this role",
      );
      expect(await tryInvite(admin, newEmail(), own)).toEqual(refused);
      const guest = await signUp(system);
      const { id } = await inviteMember(owner, guest.email, own);
      expect(await resend(admin, id)).toEqual(refused);
      const { member } = await acceptInvitation(guest, id);
      expect(member.role.split(",")).toContain("owner");
    },
  );
});

describe("with requireEmailVerificationOnInvitation, and a page of the application", () => {
  const config = organizationConfig(
    {
      requireEmailVerificationOnInvitation: true,
      acceptInvitationURL: "https://app.example.com/join?invitation={id}&to={email}&proof={proof}",
    },
    { emailVerification: { sendOnSignUp: true } },
  );
  const { system, user: owner } = useSystem({ stores: "postgres", config });
  beforeAll(async () => {
    await createOrganization(owner);
  });

  // Attack: signing up with another person's invited address.
  test("an invitation is visible and answerable only with its verified address", async () => {
    const email = newEmail();
    const invitation = await inviteMember(owner, email);
    const mail = await system.smtp.waitForMail(email);
    const to = encodeURIComponent(email);
    const [page = "", ...others] = mail.links;
    expect(page.split("&proof=")[0]).toBe(
      `https://app.example.com/join?invitation=${invitation.id}&to=${to}`,
    );
    expect(others).toEqual([]);

    const guest = await join(system, email);
    expect(await listOwn(guest)).toEqual(unverified);
    for (const act of Object.values(asking))
      expect(await act(guest, invitation.id)).toEqual(unverified);
    const proof = await system.smtp.waitForMail(
      ({ to: [address], links }) => address === email && !links.includes(page),
    );
    const { pathname, search } = new URL(proof.links[0] ?? "");
    const response = await guest.browser.get(
      pathname.replace(system.settings.options.basePath, "") + search,
    );
    expect(response.status).toBeLessThan(400);
    expect(await expectOk(listOwn(guest))).toHaveLength(1);
    await acceptInvitation(guest, invitation.id);
  });

  test("a sign-up with the proof in the mail needs no other verification", async () => {
    const email = newEmail();
    const invitation = await inviteMember(owner, email);
    const { links } = await system.smtp.waitForMail(email);
    const invitationProof = new URL(links[0] ?? "").searchParams.get("proof");
    expect(JSON.stringify(invitation)).not.toContain(invitationProof);
    const guest = await signUp(system, { email, invitationProof } as object);
    expect(await expectOk(listOwn(guest))).toHaveLength(1);
    await acceptInvitation(guest, invitation.id);
  });
});
