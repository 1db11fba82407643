import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { signUpAs, whoIs } from "./admin-people.ts";
import {
  openRows,
  refusal,
  type Rows,
  type Seen,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import {
  create,
  done,
  enrol,
  invite,
  newSlug,
  ofOrganizations,
  organizationConfig,
  send,
  untilWorksIn,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

let stack: Stack;
let rows: Rows;
let operator: SignedUp;
let owner: SignedUp;
let guest: SignedUp;
beforeAll(async () => {
  const config = organizationConfig({ sendInvitationMail: false });
  stack = await startStack({ stores: "postgres", config });
  rows = openRows(stack);
  operator = await signUpAs(stack, "admin");
  await until(async () => (await whoIs(operator.browser))?.user.role === "admin");
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
});
beforeEach(async () => {
  owner = await signUp(stack);
  guest = await signUp(stack);
});

/** Runs an action while a choice of the guest's session is decided but not written yet. */
const duringChoice = async <Body>(
  choose: () => Promise<Seen<Body>>,
  meanwhile: () => Promise<unknown>,
): Promise<Seen<Body>> => {
  const holder = openRows(stack);
  try {
    await holder.ask("begin");
    await holder.ask(
      "select id from identity.session where user_id = $1 for update",
      guest.user.id,
    );
    const choice = choose();
    await until(async () => {
      const waiting = await rows.ask(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await meanwhile();
    await holder.ask("commit");
    return await choice;
  } finally {
    await holder.close();
  }
};

const removeGuest = (organizationId: string) => async () => {
  const body = { organizationId, memberIdOrEmail: guest.email };
  await done(send(owner, ofOrganizations.removeMember, { body }));
};

test("a user who is removed while setting their active organization is rejected, and no session works there", async () => {
  const { id: organizationId } = await create(owner);
  await enrol(stack, guest, { organizationId });
  const answer = await duringChoice(
    () => send(guest, ofOrganizations.setActiveOrganization, { body: { organizationId } }),
    removeGuest(organizationId),
  );
  expect(answer).toEqual(
    refusal(
      403,
      "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
      "User is not a member of the organization",
    ),
  );
  expect(await worksIn(guest.browser)).toBeNull();
});

test("a user who is removed right after accepting works there in no session, and gets no session cookie", async () => {
  const { id: organizationId } = await create(owner);
  const { id: invitationId } = await invite(owner, guest.email);
  const answer = await duringChoice(
    () => send(guest, ofOrganizations.acceptInvitation, { body: { invitationId } }),
    removeGuest(organizationId),
  );
  expect(answer).toMatchObject({ status: 200, cookies: [] });
  expect(await worksIn(guest.browser)).toBeNull();
});

test("a user whose new organization is deleted at once works there in no session, and gets no session cookie", async () => {
  const slug = newSlug();
  const answer = await duringChoice(
    () => send(guest, ofOrganizations.createOrganization, { body: { name: "Acme", slug } }),
    async () => {
      const [found] = await rows.ask(
        "select id from organization.organization where slug = $1",
        slug,
      );
      const params = { id: found?.["id"] };
      await done(send(operator, ofOrganizations.adminDeleteOrganization, { params }));
    },
  );
  expect(answer).toMatchObject({ status: 200, cookies: [] });
  expect(await worksIn(guest.browser)).toBeNull();
});

test("without a concurrent removal a delayed choice succeeds", async () => {
  const { id: organizationId } = await create(owner);
  await enrol(stack, guest, { organizationId });
  const body = { organizationId };
  await duringChoice(
    () => send(guest, ofOrganizations.setActiveOrganization, { body }),
    async () => expect(await worksIn(guest.browser)).toBeNull(),
  );
  await untilWorksIn(guest.browser, organizationId);
});
