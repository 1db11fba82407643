import type { Event, operations } from "@latchkey/contracts";
import { expectNoLeaks, type SmtpCatcher, startSmtpCatcher } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { plainWording } from "../templates/plain-wording.fixture.ts";
import { adminGetDelivery, adminRetryDelivery } from "../admin/deliveries.ts";
import { attemptAll, callByAdmin, openMailer, replyOf } from "../db/test-mailer.fixture.ts";
import { emailCodeMail } from "../templates/code-mails.ts";
import type { Mail } from "../templates/mail.ts";
import { signInLinkMail } from "../templates/link-mails.ts";
import { openContent } from "./attempt-delivery.ts";
import { storeMail } from "./deliver-mail.ts";
import { createSmtpTransport, type Transport } from "./transport.ts";

expectNoLeaks("file");

type Operations = typeof operations.mailer;

const code = "482913";
const url = "https://auth.example.com/magic-link/verify?token=hush.hush.hush";
const to = "ada@example.com";
const lifetimeMs = 300_000;
const log: string[] = [];

const fixture = await openMailer();

let smtp: SmtpCatcher;
let transport: Transport | undefined;
let serial = 0;
beforeAll(async () => {
  smtp = await startSmtpCatcher({});
  transport = createSmtpTransport({ ...fixture.deps.config.mail, smtpUrl: smtp.url });
});
afterAll(async () => {
  await transport?.close();
  await smtp.stop();
});
beforeEach(() => {
  smtp.refuse("none");
  smtp.mails.length = 0;
  log.length = 0;
});

/** Returns the dependencies. Without a transport, mails are captured. */
const depsWith = (given: Transport | undefined) => ({
  ...fixture.deps,
  captureLog: (text: string) => void log.push(text),
  transport: given,
});

interface Secret {
  /** The part of the mail that opens the account. */
  secret: string;
  /** Returns the event of a mail that was requested some time ago, and the mail. */
  create: (agoMs?: number) => { event: Event; mail: Mail };
  expired: string;
}

const sentAgo = (agoMs: number) => {
  const requestedAt = fixture.clock.now() - agoMs;
  return {
    event: {
      id: `event-${(serial += 1)}`,
      version: 1,
      occurredAt: new Date(requestedAt).toISOString(),
    },
    data: { email: to, name: "Ada", expiresAt: new Date(requestedAt + lifetimeMs).toISOString() },
  };
};

const secrets: Record<string, Secret> = {
  code: {
    secret: code,
    expired: "the code expired before the mail could be sent",
    create: (agoMs = 0) => {
      const { event, data } = sentAgo(agoMs);
      const all = { ...data, code, purpose: "sign-in" as const };
      return {
        event: { ...event, name: "email-code.requested", data: all },
        mail: emailCodeMail(plainWording("en", "Example"), all),
      };
    },
  },
  "sign-in link": {
    secret: "hush",
    expired: "the link expired before the mail could be sent",
    create: (agoMs = 0) => {
      const { event, data } = sentAgo(agoMs);
      const all = { ...data, url };
      return {
        event: { ...event, name: "sign-in-link.requested", data: all },
        mail: signInLinkMail(plainWording("en", "Example"), all),
      };
    },
  },
};

type Created = ReturnType<Secret["create"]>;

/** Stores a mail and attempts it. Without a transport, it is captured. */
const deliverBy = async (through: Transport | undefined, { event, mail }: Created) => {
  await storeMail(fixture.deps, event, { to, ...mail });
  await attemptAll(depsWith(through));
};
const deliver = (created: Created) => deliverBy(transport, created);
const rowOf = ({ event }: Created) =>
  fixture.db
    .selectFrom("delivery")
    .selectAll()
    .where("eventId", "=", event.id)
    .executeTakeFirstOrThrow();
const read = async (created: Created, role = "admin") => {
  const { id } = await rowOf(created);
  const call = callByAdmin<Operations["adminGetDelivery"]>({ params: { id }, role });
  return replyOf(adminGetDelivery(fixture.deps, call));
};
const retry = async (created: Created): Promise<void> => {
  const { id } = await rowOf(created);
  const call = callByAdmin<Operations["adminRetryDelivery"]>({ params: { id } });
  await replyOf(adminRetryDelivery(fixture.deps, call));
};
/** Leaves the mail to a later attempt. */
const fail = async (created: Created): Promise<void> => {
  smtp.refuse("temporary");
  await deliver(created);
  smtp.refuse("none");
};

describe.each(Object.entries(secrets))("a mail with a %s", (_what, { secret, create, expired }) => {
  test("is sealed while it waits, and its content is deleted once it is sent", async () => {
    const created = create();
    await fail(created);
    const waiting = await rowOf(created);
    expect(waiting).toMatchObject({ state: "retrying" });
    expect(JSON.stringify(waiting)).not.toContain(secret);
    await deliver(created);
    expect(smtp.mails.map(({ text }) => text)).toEqual([expect.stringContaining(secret)]);
    expect(await rowOf(created)).toMatchObject({ state: "sent", contentSealed: "" });
  });

  /** Attack: an admin requests it in a user's name and reads it. */
  test("is readable by nobody, neither before nor after it is sent", async () => {
    const created = create();
    await fail(created);
    const withheld = { text: null, html: null, link: null, isWithheld: true };
    expect(await read(created)).toMatchObject({ state: "retrying", ...withheld });
    await deliver(created);
    expect(await read(created)).toMatchObject({ state: "sent", ...withheld });
    expect(await fixture.auditOf((await rowOf(created)).id)).toMatchObject([
      { action: "delivery.queued" },
      { action: "delivery.read", outcome: "refused" },
      { action: "delivery.read", outcome: "refused" },
    ]);
  });

  test("is deleted when it fails permanently, so that a retry sends nothing", async () => {
    const created = create();
    smtp.refuse("permanent");
    await deliver(created);
    smtp.refuse("none");
    expect(await rowOf(created)).toMatchObject({ state: "failed", contentSealed: "" });
    await retry(created);
    await attemptAll(depsWith(transport));
    expect(await rowOf(created)).toMatchObject({
      state: "failed",
      lastError: expect.stringContaining("the content was deleted") as string,
    });
    expect(smtp.mails).toEqual([]);
  });

  test("is neither sent nor kept once it has expired", async () => {
    const created = create();
    await fail(created);
    await fixture.db
      .updateTable("delivery")
      .set(sql`send_before`, sql`send_before - make_interval(secs => ${lifetimeMs / 1_000})`)
      .where("eventId", "=", created.event.id)
      .execute();
    await deliver(created);
    expect(await rowOf(created)).toMatchObject({
      state: "failed",
      lastError: expired,
      contentSealed: "",
    });
    expect(smtp.mails).toEqual([]);
  });

  test("is not sent if its event waited until it expired", async () => {
    const created = create(lifetimeMs + 60_000);
    await deliver(created);
    expect(await rowOf(created)).toMatchObject({ state: "failed", lastError: expired });
    expect(smtp.mails).toEqual([]);
  });

  test("is sent if the publisher's clock is as far behind as a minute and its lifetime", async () => {
    await deliver(create(lifetimeMs + 59_000));
    expect(smtp.mails).toHaveLength(1);
  });

  test("is in no audit row and, if the server quotes it, in no error", async () => {
    const created = create();
    const quoting: Transport = {
      send: () => Promise.reject(new Error(`451 ${code} ${url} is listed`)),
      close: async () => {},
    };
    await deliverBy(quoting, created);
    const row = await rowOf(created);
    expect(row.lastError).toContain("is listed");
    const audit = await fixture.auditOf(row.id);
    expect(JSON.stringify([row, audit])).not.toContain(secret);
  });

  test("keeps its content if it is captured, for admins only", async () => {
    const created = create();
    await deliverBy(undefined, created);
    const { state, contentSealed } = await rowOf(created);
    expect(state).toBe("captured");
    expect(openContent(fixture.deps.ring, contentSealed)?.text).toContain(secret);
    expect((await read(created)).text).toContain(secret);
    expect(await read(created, "support")).toMatchObject({ text: null, isWithheld: true });
  });
});

test("does not log the code of a captured mail", async () => {
  const created = secrets["code"]?.create();
  if (!created) throw new Error("no such mail");
  await deliverBy(undefined, created);
  expect(log).toEqual([`captured mail to ${to}, "Your code to sign in to Example"`]);
});
