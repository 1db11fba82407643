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

/** Somebody who signs up with an address, and with nothing to do with anybody. */
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

  test("the mail leads somebody without an account to their membership, whatever the case of the address", async () => {
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
    expect(await done(listOwn(guest))).toEqual([{ ...invitation, ...named }]);
    const offered = link.split("/").at(-1) ?? "";
    expect(await done(asking.get(guest, offered))).toEqual({
      ...invitation,
      ...named,
      inviterEmail: owner.email,
    });
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

  test("a mail sent again leads to the same invitation, which then lasts anew", async () => {
    const email = newEmail();
    const { id } = await invite(owner, email);
    await stack.smtp.waitForMail(email);
    await rows.ask(
      "update organization.invitation set expires_at = now() + interval '1 minute' where id = $1",
      id,
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

  test("an address is invited once at a time, in any case, unless it is asked for again", async () => {
    const email = newEmail();
    const first = await invite(owner, email);
    expect(await tryInvite(owner, inOtherCase(email))).toEqual(alreadyInvited);
    const second = await invite(owner, email, { resend: true });
    expect(second.id).not.toBe(first.id);
    expect(await statuses()).toEqual(["pending", "pending"]);
  });

  test("who is a member already is not invited, in any case of their address, and does not become one twice", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    await enrol(stack, guest, { organizationId: organization.id });
    expect(await tryInvite(owner, inOtherCase(guest.email))).toEqual(alreadyMember);
    expect(await asking.accept(guest, id)).toEqual(alreadyMember);
    expect(await statuses()).toEqual(["pending"]);
  });

  test("what is canceled is not offered any more; a membership that came of it stays", async () => {
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

  test("who declines is no member, may not change their mind, and may be invited again", async () => {
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

  test("an invitation is over when its time is, and does not stand in the way of the next", async () => {
    const guest = await signUp(stack);
    const { id } = await invite(owner, guest.email);
    await rows.ask("update organization.invitation set expires_at = now() where id = $1", id);
    expect(await done(listOwn(guest))).toEqual([]);
    expect(await asking.get(guest, id)).toEqual(notOffered);
    expect(await asking.accept(guest, id)).toEqual(notFound);
    await accept(guest, (await invite(owner, guest.email)).id);
  });

  // Attack: a link that was forwarded, guessed or read in somebody's mail.
  test.each(Object.entries(asking))(
    "nobody but whom it is for may %s an invitation, not even its sender",
    async (_, ask) => {
      const guest = await signUp(stack);
      const { id } = await invite(owner, guest.email);
      for (const person of [owner, await signUp(stack)])
        expect(await ask(person, id)).toEqual(notRecipient);
      expect(await statuses()).toEqual(["pending"]);
      expect(await done(ask(guest, id))).toBeTruthy();
    },
  );

  test("an invitation outlives its sender's membership, though it cannot be shown with its sender", async () => {
    const admin = await signUp(stack);
    const guest = await signUp(stack);
    const organizationId = organization.id;
    await enrol(stack, admin, { organizationId, role: "admin" });
    const { id } = await invite(admin, guest.email, { organizationId });
    const body = { organizationId };
    await done(send(admin, ofOrganizations.leaveOrganization, { body }));
    expect(await asking.get(guest, id)).toEqual(
      refusal(
        400,
        "INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION",
        "Inviter is no longer a member of the organization",
      ),
    );
    await accept(guest, id);
  });

  // Attack: an owner who expects to be removed invites another address of theirs as one.
  test("an invitation to be an owner does not outlive its sender's membership", async () => {
    const second = await signUp(stack);
    const guest = await signUp(stack);
    const organizationId = organization.id;
    const { id: memberIdOrEmail } = await enrol(stack, second, { organizationId, role: "owner" });
    const { id } = await invite(second, guest.email, { organizationId, role: "owner" });
    await done(send(owner, ofOrganizations.removeMember, { body: { memberIdOrEmail } }));
    expect(await asking.accept(guest, id)).toEqual(notFound);
    expect(await statuses()).toEqual(["canceled"]);
  });

  // Attack: a stranger's mailbox filled by organizations that are founded for it.
  test("somebody invites one address five times at once, by however many organizations", async () => {
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
    "%j is no role to be invited to",
    async (role) => {
      const answer = await tryInvite(owner, newEmail(), { role });
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
      expect(await statuses()).toEqual([]);
    },
  );

  test.each([["no address"], [""], [null], [7], [["a@example.com"]], ["a@b@example.com"]])(
    "%j is no address to invite",
    async (email) => {
      expect(await tryInvite(owner, email)).toEqual(refusal(400, "INVALID_EMAIL", "Invalid email"));
      expect(await statuses()).toEqual([]);
    },
  );

  // Attack: an admin who makes an owner of somebody, and so of themself.
  test.each(["owner", "member,owner", " owner "])(
    "an owner invites to the roles %j, an admin does not, nor sends that invitation again",
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

  // Attack: signing up with somebody else's address, which was invited.
  test("only who has proven their address sees, accepts and rejects what was sent to it", async () => {
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
