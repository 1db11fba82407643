import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import {
  newEmail,
  openRows,
  password,
  refusal,
  type Rows,
  seen,
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
  ofOrganizations,
  organizationConfig,
  send,
  type ShownInvitation,
  type ShownMember,
  type ShownOrganization,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

const notFound = refusal(400, "INVITATION_NOT_FOUND", "Invitation not found");
const notOffered = refusal(400, "INVITATION_NOT_FOUND", "Invitation not found!");
const notRecipient = refusal(
  403,
  "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
  "You are not the recipient of the invitation",
);
const unverified = refusal(
  403,
  "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  "Email verification required before accepting or rejecting invitation",
);
const alreadyMember = refusal(
  400,
  "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
  "User is already a member of this organization",
);
const alreadyInvited = refusal(
  400,
  "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION",
  "User is already invited to this organization",
);

const inOtherCase = (email: string) => email.replace(/^./, (letter) => letter.toUpperCase());

/** Signs up a user with an address and no memberships. */
const join = async (stack: Stack, email: string): Promise<Pick<SignedUp, "browser" | "user">> => {
  const browser = createBrowserLike(stack.url);
  const response = await browser.post("/sign-up/email", { name: "Guest", email, password });
  const { status, body } = await seen<{ user: { id: string } }>(response);
  expect(status).toBe(200);
  return { browser, user: body.user };
};

const tryInvite = (person: SignedUp, email: unknown, own: object = {}) =>
  send(person, ofOrganizations.inviteMember, { body: { email, role: "member", ...own } });

const asking = {
  get: (person: Pick<SignedUp, "browser">, id: string) =>
    send(person, ofOrganizations.getInvitation, { query: { id } }),
  accept: (person: Pick<SignedUp, "browser">, invitationId: string) =>
    send(person, ofOrganizations.acceptInvitation, { body: { invitationId } }),
  reject: (person: Pick<SignedUp, "browser">, invitationId: string) =>
    send(person, ofOrganizations.rejectInvitation, { body: { invitationId } }),
};
interface Invited {
  invitations: ShownInvitation[];
}
const listOwn = (person: Pick<SignedUp, "browser">) =>
  send<ShownInvitation[]>(person, ofOrganizations.listUserInvitations);
const cancel = (person: SignedUp, invitationId: string) =>
  send(person, ofOrganizations.cancelInvitation, { body: { invitationId } });
const resend = (person: SignedUp, invitationId: string) =>
  send<ShownInvitation>(person, ofOrganizations.resendInvitation, { body: { invitationId } });

describe("invitations by mail", () => {
  let stack: Stack;
  let rows: Rows;
  let owner: SignedUp;
  let organization: ShownOrganization;
  beforeAll(async () => {
    stack = await startStack({ stores: "postgres", config: organizationConfig() });
    rows = openRows(stack);
    owner = await signUp(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  beforeEach(async () => {
    organization = await create(owner);
  });
  const statuses = async () => {
    const listed = await done(
      send<ShownInvitation[]>(owner, ofOrganizations.listInvitations, {
        query: { organizationId: organization.id },
      }),
    );
    return listed.map(({ status }) => status);
  };
  const members = async () => {
    const { members: shown } = await done(
      send<{ members: ShownMember[] }>(owner, ofOrganizations.listMembers),
    );
    return shown.map(({ userId, role }) => ({ userId, role }));
  };

  test("the mail leads a person without an account to a membership, in any case of the address", async () => {
    const email = newEmail();
    const invitation = await invite(owner, inOtherCase(email), { role: ["admin", "member"] });
    expect(invitation).toEqual({
      id: expect.any(String),
      organizationId: organization.id,
      email,
      role: "admin,member",
      status: "pending",
      expiresAt: expect.any(String),
      inviterId: owner.user.id,
    });
    const mail = await stack.smtp.waitForMail(email);
    expect(mail.text).toContain(organization.name);
    const [link = ""] = mail.links;
    expect(link).toBe(`${stack.origin}/accept-invitation/${invitation.id}`);

    const guest = await join(stack, email.toUpperCase());
    const { id, name, slug } = organization;
    const named = { organizationName: name, organizationSlug: slug };
    expect(await done(listOwn(guest))).toEqual([]);
    const offered = link.split("/").at(-1) ?? "";
    expect(await done(asking.get(guest, offered))).toEqual({
      ...invitation,
      ...named,
      inviterEmail: owner.email,
    });
    expect(await done(listOwn(guest))).toEqual([{ ...invitation, ...named }]);
    const accepted = await accept(guest, offered);
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
    expect(await worksIn(guest.browser)).toBe(id);
    expect(await done(listOwn(guest))).toEqual([]);
    expect(await statuses()).toEqual(["accepted"]);
    expect(await asking.accept(guest, offered)).toEqual(notFound);
  });

  test("a resent mail leads to the same invitation, whose lifetime starts anew", async () => {
    const email = newEmail();
    const { id } = await invite(owner, email);
    await stack.smtp.waitForMail(email);
    await rows.ask(
      "update organization.invitation set expires_at = now() + interval '1 minute' where email = $1",
      email,
    );
    expect(await resend(owner, id)).toMatchObject({
      status: 429,
      body: { message: "Too many requests. Please try again later." },
    });
    const { headers } = await owner.browser.post(ofOrganizations.resendInvitation.path, {
      invitationId: id,
    });
    for (const name of ["retry-after", "x-retry-after"])
      expect(headers.get(name)).toMatch(/^(60|[1-5]?\d)$/);
    await ageInvitations(rows);
    const again = await done(resend(owner, id));
    expect(again.id).toBe(id);
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now() + 172_000_000);
    const sent = () => stack.smtp.mails.filter(({ to }) => to.includes(email));
    await stack.smtp.waitForMail(() => sent().length === 2);
    expect(new Set(sent().flatMap(({ links }) => links)).size).toBe(1);
    expect(await statuses()).toEqual(["pending"]);
  });

  test("an address has one invitation at a time, in any case, unless a resend is requested", async () => {
    const email = newEmail();
    const first = await invite(owner, email);
    expect(await tryInvite(owner, inOtherCase(email))).toEqual(alreadyInvited);
    const second = await invite(owner, email, { resend: true });
    expect(second.id).not.toBe(first.id);
    expect(await statuses()).toEqual(["pending", "pending"]);
  });

  test("a member is not invited again, in any case of the address, and joins once", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    await enrol(stack, guest, { organizationId: organization.id });
    expect(await tryInvite(owner, inOtherCase(guest.email))).toEqual(alreadyMember);
    expect(await asking.accept(guest, id)).toEqual(alreadyMember);
    expect(await statuses()).toEqual(["pending"]);
  });

  test("a canceled invitation is no longer offered, but a membership from it stays", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    expect(await done(cancel(owner, id))).toMatchObject({ id, status: "canceled" });
    expect(await done(listOwn(guest))).toEqual([]);
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.reject(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await resend(owner, id)).toEqual(notFound);
    const second = await invite(owner, guest.email);
    await accept(guest, second.id);
    expect(await done(cancel(owner, second.id))).toMatchObject({ status: "canceled" });
    expect(await members()).toContainEqual({ userId: guest.user.id, role: "member" });
  });

  test("a declined invitation gives no membership and is final, but the user can be invited again", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    expect(await done(asking.reject(guest, id))).toMatchObject({
      invitation: { id, status: "rejected" },
      member: null,
    });
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await asking.reject(guest, id)).toEqual(notOffered);
    expect(await worksIn(guest.browser)).toBeNull();
    await accept(guest, (await invite(owner, guest.email)).id);
    expect(await statuses()).toEqual(["rejected", "accepted"]);
  });

  test("an expired invitation does not block the next one", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    await rows.ask(
      "update organization.invitation set expires_at = now() where email = $1",
      guest.email,
    );
    expect(await done(listOwn(guest))).toEqual([]);
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    await accept(guest, (await invite(owner, guest.email)).id);
  });

  // Attack: using a link that was forwarded, guessed or read in another mailbox.
  test.each(Object.entries(asking))(
    "only the invited user may %s an invitation, not even its sender",
    async (_, ask) => {
      const guest = await signUp(stack);
      const { id } = await invite(owner, guest.email);
      for (const person of [owner, await signUp(stack)])
        expect(await ask(person, id)).toEqual(notRecipient);
      expect(await statuses()).toEqual(["pending"]);
      expect(await done(ask(guest, id))).toBeTruthy();
    },
  );

  // Attack: an admin who expects to be removed invites their own second address.
  test("an invitation does not outlive its sender's membership", async () => {
    const admin = await signUp(stack);
    const guest = await signUp(stack);
    const organizationId = organization.id;
    await enrol(stack, admin, { organizationId, role: "admin" });
    const { id } = await invite(admin, guest.email, { organizationId });
    const body = { organizationId };
    await done(send(admin, ofOrganizations.leaveOrganization, { body }));
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await statuses()).toEqual(["canceled"]);
  });

  // Attack: a demoted admin returns by a second address, also after another promotion.
  test("an invitation ends when its sender may no longer invite to its role", async () => {
    const admin = await signUp(stack);
    const guest = await signUp(stack);
    const organizationId = organization.id;
    const { id: memberId } = await enrol(stack, admin, { organizationId, role: "admin" });
    const { id } = await invite(admin, guest.email, { organizationId, role: "admin" });
    for (const role of ["member", "admin"]) {
      const body = { memberId, role };
      await done(send(owner, ofOrganizations.updateMemberRole, { body }));
      expect(await asking.accept(guest, id)).toEqual(notFound);
    }
    expect(await done(listOwn(guest))).toEqual([]);
  });

  // Attack: a member reads an invitation for an owner, registers its address without verifying it, and accepts.
  test("a user cannot become owner by an invitation that members can see", async () => {
    const [member, admin] = [await signUp(stack), await signUp(stack)];
    const organizationId = organization.id;
    await enrol(stack, member, { organizationId });
    await enrol(stack, admin, { organizationId, role: "admin" });
    const email = newEmail();
    await invite(owner, email, { organizationId, role: "owner" });
    const query = { organizationId };
    const idsSeenBy = async (person: SignedUp) => {
      const { listInvitations, getFullOrganization, setActiveOrganization } = ofOrganizations;
      const views = [
        { invitations: await done(send<ShownInvitation[]>(person, listInvitations, { query })) },
        await done(send<Invited>(person, getFullOrganization, { query })),
        await done(send<Invited>(person, setActiveOrganization, { body: query })),
      ];
      return views.flatMap(({ invitations }) => invitations.map(({ id }) => id));
    };
    const seen = [...(await idsSeenBy(member)), ...(await idsSeenBy(admin))];
    expect(seen).toHaveLength(6);

    const squatter = await join(stack, email);
    expect(await done(listOwn(squatter))).toEqual([]);
    for (const id of seen)
      for (const ask of Object.values(asking)) {
        const { status } = await ask(squatter, id);
        expect([400, 403]).toContain(status);
      }
    expect(await members()).not.toContainEqual(
      expect.objectContaining({ userId: squatter.user.id }),
    );

    const { links } = await stack.smtp.waitForMail(email);
    const mailed = links[0]?.split("/").at(-1) ?? "";
    expect(seen).not.toContain(mailed);
    const { member: joined } = await accept(squatter, mailed);
    expect(joined.role).toBe("owner");
  });

  // Attack: filling another person's mailbox by creating organizations that invite it.
  test("a user can invite one address five times at once, over all organizations", async () => {
    const email = newEmail();
    for (let round = 0; round < 5; round += 1)
      await invite(owner, email, { organizationId: (await create(owner)).id });
    const { id: organizationId } = await create(owner);
    expect(await tryInvite(owner, email, { organizationId })).toEqual(
      refusal(403, "INVITATION_LIMIT_REACHED", "Invitation limit reached"),
    );
    expect(await tryInvite(owner, newEmail(), { organizationId })).toMatchObject({ status: 200 });
  });

  test.each([["boss"], ["member,boss"], [["member", "boss"]], [""], [" , "], [[]], ["Owner"]])(
    "rejects an invitation to the role %j",
    async (role) => {
      const answer = await tryInvite(owner, newEmail(), { role });
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
      expect(await statuses()).toEqual([]);
    },
  );

  test.each([["no address"], [""], [null], [7], [["a@example.com"]], ["a@b@example.com"]])(
    "rejects the address %j",
    async (email) => {
      expect(await tryInvite(owner, email)).toEqual(refusal(400, "INVALID_EMAIL", "Invalid email"));
      expect(await statuses()).toEqual([]);
    },
  );

  // Attack: an admin gives an accomplice, and so themselves, the owner role.
  test.each(["owner", "member,owner", " owner "])(
    "only an owner may invite to the roles %j, or resend that invitation",
    async (role) => {
      const admin = await signUp(stack);
      await enrol(stack, admin, { organizationId: organization.id, role: "admin" });
      const own = { role, organizationId: organization.id };
      const refused = refusal(
        403,
        "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
        "you are not allowed to invite user with this role",
      );
      expect(await tryInvite(admin, newEmail(), own)).toEqual(refused);
      const guest = await signUp(stack);
      const { id } = await invite(owner, guest.email, own);
      expect(await resend(admin, id)).toEqual(refused);
      const { member } = await accept(guest, id);
      expect(member.role.split(",")).toContain("owner");
    },
  );
});

describe("with requireEmailVerificationOnInvitation, and a page of the application", () => {
  let stack: Stack;
  let owner: SignedUp;
  beforeAll(async () => {
    const config = organizationConfig(
      {
        requireEmailVerificationOnInvitation: true,
        acceptInvitationURL: "https://app.example.com/join?invitation={id}&to={email}",
      },
      { emailVerification: { sendOnSignUp: true } },
    );
    stack = await startStack({ stores: "postgres", config });
    owner = await signUp(stack);
    await create(owner);
  });
  afterAll(() => stack.stop());

  // Attack: signing up with another person's invited address.
  test("an invitation is visible and answerable only with its verified address", async () => {
    const email = newEmail();
    const invitation = await invite(owner, email);
    const mail = await stack.smtp.waitForMail(email);
    const to = encodeURIComponent(email);
    const page = `https://app.example.com/join?invitation=${invitation.id}&to=${to}`;
    expect(mail.links).toEqual([page]);

    const guest = await join(stack, email);
    expect(await listOwn(guest)).toEqual(unverified);
    for (const ask of Object.values(asking))
      expect(await ask(guest, invitation.id)).toEqual(unverified);
    const proof = await stack.smtp.waitForMail(
      ({ to: [address], links }) => address === email && !links.includes(page),
    );
    const { pathname, search } = new URL(proof.links[0] ?? "");
    const response = await guest.browser.get(
      pathname.replace(stack.settings.options.basePath, "") + search,
    );
    expect(response.status).toBeLessThan(400);
    expect(await done(listOwn(guest))).toHaveLength(1);
    await accept(guest, invitation.id);
  });
});
