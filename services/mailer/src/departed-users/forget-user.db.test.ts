import type { Event, EventName } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { attemptAll, openMailer } from "../db/test-mailer.fixture.ts";
import { storeMail } from "../deliveries/deliver-mail.ts";
import { forgetUser, sweepDepartedUsers } from "./forget-user.ts";

expectNoLeaks("file");

const email = "ada@example.com";
const dayMs = 86_400_000;

const fixture = await openMailer();

let serial = 0;
let userId: string;
beforeEach(async () => {
  await fixture.db.deleteFrom("delivery").execute();
  await fixture.db.deleteFrom("departedUser").execute();
  userId = `user-${(serial += 1)}`;
});

const eventOf = <N extends EventName>(name: N, data: Event<N>["data"], agoMs = 0): Event<N> => ({
  id: `event-${(serial += 1)}`,
  name,
  version: 1,
  occurredAt: new Date(fixture.clock.now() - agoMs).toISOString(),
  data,
});
const deletion = () => eventOf("user.deleted", { userId, email });
const mailOf = (given: { userId: string; to: string; agoMs?: number }) => {
  const { userId: about, to, agoMs } = given;
  const data = { userId: about, email: to, name: "Ada", provider: "GitHub" };
  return eventOf("account.linked", data, agoMs);
};
const invitationOf = (given: { inviterId: string; to: string; agoMs?: number }) => {
  const { inviterId, to, agoMs } = given;
  const data = {
    invitationId: "i1",
    email: to,
    organizationName: "Acme",
    inviterId,
    inviterName: "Ada",
    inviterEmail: email,
    url: "https://auth.example.com/accept",
    expiresAt: new Date(fixture.clock.now() + dayMs).toISOString(),
  };
  return eventOf("invitation.sent", data, agoMs);
};
/** A code that was requested for an address. The event names no user. */
const codeOf = (given: { to: string; agoMs?: number }) => {
  const { to, agoMs } = given;
  const expiresAt = new Date(fixture.clock.now() + dayMs).toISOString();
  const data = { email: to, name: "", code: "482913", purpose: "sign-in" as const, expiresAt };
  return eventOf("email-code.requested", data, agoMs);
};
const captured: string[] = [];
const deliver = async (event: Event): Promise<void> => {
  const { email: to } = event.data as { email: string };
  const deps = {
    ...fixture.deps,
    captureLog: (text: string) => void captured.push(text),
    transport: undefined,
  };
  await storeMail(deps, event, { to, subject: "About you", text: "Hi", html: "<p>Hi</p>" });
  await attemptAll(deps);
};
const recipients = async () => {
  const rows = await fixture.db
    .selectFrom("delivery")
    .select("recipient")
    .orderBy("recipient")
    .execute();
  return rows.map(({ recipient }) => recipient);
};

describe("a deletion", () => {
  test("deletes the user's received and caused mails, and those to the last address", async () => {
    await deliver(mailOf({ userId, to: "ada@before.example" }));
    await deliver(invitationOf({ inviterId: userId, to: "bob@example.com" }));
    await deliver(invitationOf({ inviterId: "somebody", to: "Ada@example.com" }));
    await deliver(codeOf({ to: "Ada@example.com" }));
    await deliver(mailOf({ userId: "somebody", to: "eve@example.com" }));
    await forgetUser(fixture.deps, deletion());
    expect(await recipients()).toEqual(["eve@example.com"]);
    expect(await fixture.auditOf(userId)).toMatchObject([
      { actorKind: "system", action: "delivery.deleted", before: { deliveries: 4 } },
    ]);
  });

  test("spares the mails of the address's new owner if it is reported twice", async () => {
    const event = deletion();
    await forgetUser(fixture.deps, event);
    fixture.clock.advance(1_000);
    await deliver(mailOf({ userId: "the next", to: email }));
    await forgetUser(fixture.deps, event);
    expect(await recipients()).toEqual([email]);
  });

  test("stores no address in plain text", async () => {
    await forgetUser(fixture.deps, deletion());
    const rows = await fixture.db.selectFrom("departedUser").selectAll().execute();
    expect(rows).toMatchObject([{ userId, addressMac: expect.stringMatching(/^[\w-]{43}$/) }]);
    expect(JSON.stringify(rows)).not.toContain("example.com");
  });
});

describe("a mail that was requested before the deletion and arrives after it", () => {
  test.each([
    ["about the user", () => mailOf({ userId, to: "ada@before.example", agoMs: 5_000 })],
    ["caused by the user", () => invitationOf({ inviterId: userId, to: "bob@example.com" })],
    [
      "to their last address",
      () => invitationOf({ inviterId: "somebody", to: "ADA@example.com", agoMs: 5_000 }),
    ],
    ["to their last address without a user", () => codeOf({ to: "ADA@example.com", agoMs: 5_000 })],
  ])("is neither stored nor sent: %s", async (_, eventOfIt) => {
    await forgetUser(fixture.deps, deletion());
    captured.length = 0;
    await deliver(eventOfIt());
    expect(await recipients()).toEqual([]);
    expect(captured).toEqual([]);
  });
});

test("leaves no mail after concurrent mails and a deletion", async () => {
  const all = Array.from({ length: 12 }, () =>
    deliver(mailOf({ userId, to: email, agoMs: 1_000 })),
  );
  await Promise.all([...all, forgetUser(fixture.deps, deletion())]);
  expect(await recipients()).toEqual([]);
});

test("deletes the record of a deleted user after a day", async () => {
  await forgetUser(fixture.deps, deletion());
  const idsLeft = () => fixture.db.selectFrom("departedUser").select("userId").execute();
  fixture.clock.advance(dayMs - 1);
  await sweepDepartedUsers(fixture.deps);
  expect(await idsLeft()).toEqual([{ userId }]);
  fixture.clock.advance(2);
  await sweepDepartedUsers(fixture.deps);
  expect(await idsLeft()).toEqual([]);
});

test("a user who is created anew with the same id gets mails again", async () => {
  await forgetUser(fixture.deps, deletion());
  fixture.clock.advance(300_001);
  await deliver(mailOf({ userId, to: "ada@again.example" }));
  expect(await recipients()).toEqual(["ada@again.example"]);
});
