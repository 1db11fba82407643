import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { callOperation, expectOk } from "../harness/operations.ts";
import {
  activeOrganizationOf,
  addMember,
  createOrganization,
  inviteMember,
  newSlug,
  organizationConfig,
  organizationOperations,
  untilActiveOrganization,
} from "../harness/organizations.ts";
import { type ClientResponse, errorResponse } from "../harness/responses.ts";
import { openRows } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { readSession, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

let owner: TestUser;
let guest: TestUser;
const config = organizationConfig({ sendInvitationMail: false });
const { system, rows, admin: operator } = useSystem({ stores: "postgres", config });
beforeAll(async () => {
  await until(async () => (await readSession(operator.browser))?.user.role === "admin");
});
beforeEach(async () => {
  owner = await signUp(system);
  guest = await signUp(system);
});

/** Runs an action while a choice of the guest's session is decided but not written yet. */
const duringChoice = async <Body>(
  choose: () => Promise<ClientResponse<Body>>,
  meanwhile: () => Promise<unknown>,
): Promise<ClientResponse<Body>> => {
  const holder = openRows(system);
  try {
    await holder.query("begin");
    await holder.query(
      "select id from identity.session where user_id = $1 for update",
      guest.user.id,
    );
    const choice = choose();
    await until(async () => {
      const waiting = await rows.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await meanwhile();
    await holder.query("commit");
    return await choice;
  } finally {
    await holder.close();
  }
};

const removeGuest = (organizationId: string) => async () => {
  const body = { organizationId, memberIdOrEmail: guest.email };
  await expectOk(callOperation(owner, organizationOperations.removeMember, { body }));
};

test("a user who is removed while setting their active organization is rejected, and no session works there", async () => {
  const { id: organizationId } = await createOrganization(owner);
  await addMember(system, guest, { organizationId });
  const answer = await duringChoice(
    () =>
      callOperation(guest, organizationOperations.setActiveOrganization, {
        body: { organizationId },
      }),
    removeGuest(organizationId),
  );
  expect(answer).toEqual(
    errorResponse(
      403,
      "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
      "User is not a member of the organization",
    ),
  );
  expect(await activeOrganizationOf(guest.browser)).toBeNull();
});

test("a user who is removed right after accepting works there in no session, and gets no session cookie", async () => {
  const { id: organizationId } = await createOrganization(owner);
  const { id: invitationId } = await inviteMember(owner, guest.email);
  const answer = await duringChoice(
    () => callOperation(guest, organizationOperations.acceptInvitation, { body: { invitationId } }),
    removeGuest(organizationId),
  );
  expect(answer).toMatchObject({ status: 200, cookies: [] });
  expect(await activeOrganizationOf(guest.browser)).toBeNull();
});

test("a user whose new organization is deleted at once works there in no session, and gets no session cookie", async () => {
  const slug = newSlug();
  const answer = await duringChoice(
    () =>
      callOperation(guest, organizationOperations.createOrganization, {
        body: { name: "Acme", slug },
      }),
    async () => {
      const [row] = await rows.query(
        "select id from organization.organization where slug = $1",
        slug,
      );
      const params = { id: row?.["id"] };
      await expectOk(
        callOperation(operator, organizationOperations.adminDeleteOrganization, { params }),
      );
    },
  );
  expect(answer).toMatchObject({ status: 200, cookies: [] });
  expect(await activeOrganizationOf(guest.browser)).toBeNull();
});

test("without a concurrent removal a delayed choice succeeds", async () => {
  const { id: organizationId } = await createOrganization(owner);
  await addMember(system, guest, { organizationId });
  const body = { organizationId };
  await duringChoice(
    () => callOperation(guest, organizationOperations.setActiveOrganization, { body }),
    async () => expect(await activeOrganizationOf(guest.browser)).toBeNull(),
  );
  await untilActiveOrganization(guest.browser, organizationId);
});
