import { type Event, eventCatalogue, type EventName } from "@latchkey/contracts";
import { type SmtpCatcher, startSmtpCatcher } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { consumers } from "./consumers.ts";
import { attemptAll, openMailer } from "./db/test-mailer.fixture.ts";
import { countFailedDeliveries } from "./deliveries/queries.ts";
import { createSmtpTransport, type Transport } from "./deliveries/transport.ts";
import type { Deps } from "./deps.ts";
import { plainBranding } from "./templates/plain-wording.fixture.ts";

const { clock, db, deps: plainDeps } = await openMailer();
const { mail } = plainDeps.config;

let smtp: SmtpCatcher;
let transport: Transport | undefined;
let serial = 0;

beforeAll(async () => {
  smtp = await startSmtpCatcher({});
  transport = createSmtpTransport({ ...mail, smtpUrl: smtp.url });
});
afterAll(async () => {
  await transport?.close();
  await smtp.stop();
});
afterEach(() => void (smtp.mails.length = 0));

/** Creates the dependencies of consumers that send mails, or capture them without an SMTP server. */
const createDeps = (over: Partial<Pick<Deps, "captureLog" | "transport">> = { transport }) =>
  ({
    ...plainDeps,
    captureLog: () => {},
    config: { appName: "Example", branding: plainBranding, mail },
    ...over,
  }) as unknown as Deps; // the consumers use no other dependencies

const url = "https://auth.example.com/somewhere?token=a.b.c";
const expiresAt = "2030-01-02T03:04:05.000Z";
const code = "482913";
const about = { userId: "u1", email: "ada@example.com", name: "Ada" };

/** Each event that becomes a mail, with the mail's subject and the event's data. */
const mails = {
  "verification.requested": ["Verify your email for Example", { ...about, url }],
  "password-reset.requested": ["Reset your password for Example", { ...about, url }],
  "user-invitation.requested": ["You are invited to Example", { ...about, url, expiresAt }],
  "account-deletion.requested": [
    "Confirm the deletion of your account at Example",
    { ...about, url },
  ],
  "account.linked": ["An account at GitHub was linked", { ...about, provider: "GitHub" }],
  "account.claimed": [
    "Ways to sign in to Example were removed",
    { ...about, ended: ["password", "passkeys"], url },
  ],
  "accounts.merged": [
    "Your accounts at Example were merged",
    {
      ...about,
      keptEmail: "ada@new.example",
      mergedEmail: about.email,
      mergedAt: expiresAt,
      undoableUntil: expiresAt,
    },
  ],
  "accounts.separated": [
    "The merge of your accounts at Example was undone",
    {
      ...about,
      keptEmail: "ada@new.example",
      mergedEmail: about.email,
      separatedAt: expiresAt,
    },
  ],
  "email-change.requested": [
    "Confirm your new email for Example",
    { ...about, url, newEmail: "ada@new.example" },
  ],
  "email.changed": [
    "Your email for Example was changed",
    { ...about, url, newEmail: "ada@new.example" },
  ],
  "two-factor-code.requested": ["Confirm that it is you at Example", { ...about, code, expiresAt }],
  "sign-in-link.requested": [
    "Your link to sign in to Example",
    { email: about.email, name: "", url, expiresAt },
  ],
  "email-code.requested": [
    "Your code to sign in to Example",
    { email: about.email, name: "", code, expiresAt, purpose: "sign-in" },
  ],
  "password.compromised": ["Choose a new password for Example", about],
  "two-factor.enabled": ["Your second factor at Example was turned on", about],
  "two-factor.disabled": ["Your second factor at Example was turned off", about],
  "two-factor.reset": ["Your second factor at Example was removed", about],
  "two-factor.locked": [
    "Your second factor at Example is locked",
    { ...about, lockedUntil: expiresAt },
  ],
  "two-factor.required": [
    "Set up a second factor for Example",
    { ...about, requiredFrom: expiresAt },
  ],
  "backup-code.used": ["A backup code was used at Example", { ...about, codesLeft: 9 }],
  "backup-codes.generated": ["New backup codes were created at Example", about],
  "api-key.added": [
    "An API key was created at Example",
    {
      ...about,
      keyName: "Till",
      address: "192.0.2.1",
      userAgent: "",
      isOfOrganization: false,
      isByAdmin: false,
      opensSessions: false,
    },
  ],
  "browser.added": ["New sign-in to Example", { ...about, address: "192.0.2.1", userAgent: "" }],
  "passkey.added": [
    "A passkey was added to your account at Example",
    { ...about, passkeyName: "Phone", address: "192.0.2.1", userAgent: "" },
  ],
  "passkey.removed": [
    "A passkey was removed from your account at Example",
    { ...about, passkeyName: "Phone" },
  ],
  "passkey.refused": [
    "A sign-in by passkey at Example was refused",
    { ...about, passkeyName: "Phone" },
  ],
  "phone-number.changed": [
    "The phone number of your account at Example was changed",
    { ...about, change: "moved" },
  ],
  "webhook.paused": [
    "Events to app.example.com are paused",
    {
      ...about,
      url: "https://app.example.com/hooks",
      description: "",
      failingSince: "2030-01-02T03:04:05.000Z",
    },
  ],
  "invitation.sent": [
    "Join Acme at Example",
    {
      invitationId: "i1",
      email: "ada@example.com",
      organizationName: "Acme",
      inviterName: "Grace",
      inviterEmail: "grace@example.com",
      url,
      expiresAt,
    },
  ],
} as const;

test("covers every event that requests a mail", () => {
  const consumed = (Object.keys(eventCatalogue) as EventName[]).filter((name) =>
    eventCatalogue[name].consumers.some((service) => (service as string) === "mailer"),
  );
  const mailEvents = consumed.filter(
    (name) => !["delivery.retried", "phone-code.requested", "user.deleted"].includes(name),
  );
  expect(Object.keys(mails).toSorted()).toEqual(mailEvents.toSorted());
});

test.each(Object.entries(mails))(
  "sends one mail for %s despite repeated deliveries",
  async (name, [subject, data]) => {
    const deps = createDeps();
    const consume = consumers[name as keyof typeof mails] as (
      deps: Deps,
      event: Event,
    ) => Promise<void>;
    const event = {
      id: `event-${(serial += 1)}`,
      name: name as EventName,
      version: 1,
      occurredAt: new Date(clock.now()).toISOString(),
      data,
    } as Event;
    await Promise.all([consume(deps, event), consume(deps, event)]);
    await attemptAll(deps);
    await consume(deps, event);
    await attemptAll(deps);
    expect(smtp.mails).toMatchObject([{ to: ["ada@example.com"], subject }]);
  },
);

test("logs a captured mail without a link", async () => {
  const logged: string[] = [];
  const captureLog = (text: string) => void logged.push(text);
  const deps = createDeps({ captureLog });
  await consumers["account.linked"](deps, {
    id: "event-captured",
    name: "account.linked",
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data: { ...about, provider: "GitHub" },
  });
  await attemptAll(deps);
  expect(logged).toEqual(['captured mail to ada@example.com, "An account at GitHub was linked"']);
});

test("a mail that the server refuses is a failed mail, and a message that runs again sends nothing", async () => {
  smtp.refuse("permanent");
  const failures: unknown[] = [];
  const logger = { error: (fields: object, text: string) => failures.push({ ...fields, text }) };
  const deps = { ...createDeps(), logger } as unknown as Deps;
  const data = { ...about, url };
  const event = {
    id: "refused",
    name: "verification.requested",
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data,
  } as const;
  await consumers["verification.requested"](deps, event);
  await attemptAll(deps);
  smtp.refuse("none");
  await consumers["verification.requested"](deps, event);
  await attemptAll(deps);
  expect(smtp.mails).toEqual([]);
  expect(failures).toMatchObject([
    { text: "mail failed", eventId: "refused", event: "verification.requested" },
  ]);
  expect(await countFailedDeliveries(db, 60)).toBe(1);
  await sql`update mailer.delivery set created_at = now() - interval '61 seconds'`.execute(db);
  expect(await countFailedDeliveries(db, 60)).toBe(0);
});
