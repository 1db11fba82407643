import { once as onceEvent } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createSecretRing, unseal } from "@latchkey/crypto";
import type { Event } from "@latchkey/contracts";
import { freePort, type SmtpCatcher, startSmtpCatcher, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { plainWording } from "../templates/plain-wording.fixture.ts";
import { attemptAll, claimAll, openMailer } from "../db/test-mailer.fixture.ts";
import { verificationMail } from "../templates/link-mails.ts";
import { storeMail } from "./deliver-mail.ts";
import { claimDeliveries, type MailOutcome } from "./queries.ts";
import { createSmtpTransport, type Transport } from "./transport.ts";

const attemptsMax = 3;
const leaseSeconds = 120;
const from = "Latchkey <auth@example.com>";
const url = "https://auth.example.com/verify-email?token=hush.hush.hush";

const { clock, db, deps: plainDeps } = await openMailer();

let smtp: SmtpCatcher;
let serial = 0;
const transports: Transport[] = [];
const log: string[] = [];

beforeAll(async () => {
  smtp = await startSmtpCatcher({});
});
afterAll(() => smtp.stop());
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  await db.deleteFrom("delivery").execute();
  smtp.refuse("none");
  smtp.mails.length = 0;
  log.length = 0;
});

/** Returns the dependencies. Without a URL, mails are captured. */
const depsWith = (smtpUrl: string | undefined) => {
  const mail = { ...plainDeps.config.mail, from, attemptsMax, smtpUrl };
  const transport = createSmtpTransport(mail);
  if (transport) transports.push(transport);
  return {
    ...plainDeps,
    captureLog: (text: string) => void log.push(text),
    config: { mail },
    transport,
  };
};
type Deps = ReturnType<typeof depsWith>;

const newEvent = (): Event<"verification.requested"> => {
  const id = `event-${(serial += 1)}`;
  return {
    id,
    name: "verification.requested",
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data: { userId: "u1", email: `${id}@example.com`, name: "Ada", url },
  };
};
type MailEvent = ReturnType<typeof newEvent>;

const store = (deps: Deps, event: MailEvent): Promise<void> =>
  storeMail(deps, event, {
    to: event.data.email,
    ...verificationMail(plainWording("en", "Latchkey"), event.data),
  });
/** Stores the mail of an event and attempts it. Returns the outcome, or undefined if it is not due. */
const deliver = async (deps: Deps, event: MailEvent): Promise<MailOutcome | undefined> => {
  await store(deps, event);
  return (await attemptAll(deps))[0];
};
const rowsOf = ({ id }: MailEvent) =>
  db.selectFrom("delivery").selectAll().where("eventId", "=", id).execute();
const rowOf = async (event: MailEvent) => (await rowsOf(event))[0];
/** The attempts of a mail with outcome and reason, the first one first. */
const attemptsOf = ({ id }: MailEvent) =>
  db
    .selectFrom("deliveryAttempt")
    .innerJoin("delivery", "delivery.id", "deliveryAttempt.deliveryId")
    .select(["number", "outcome", "reason"])
    .select(sql<boolean>`ended_at >= started_at`.as("isOver"))
    .where("eventId", "=", id)
    .orderBy("number")
    .execute();
const sixteen = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: 16 }, work));

/** Simulates a process that ends while it sends: the mail is claimed and nobody works on it. */
const abandon = async (event: MailEvent): Promise<void> => {
  smtp.refuse("temporary");
  await deliver(depsWith(smtp.url), event);
  smtp.refuse("none");
  await age(event, 3_600);
  expect(await claimAll(db)).toHaveLength(1);
};

/** Lets time pass for the lease of a mail. */
const age = async ({ id }: MailEvent, seconds: number): Promise<void> => {
  await db
    .updateTable("delivery")
    .set({ leaseUntil: sql<Date>`lease_until - make_interval(secs => ${seconds})` })
    .where("eventId", "=", id)
    .execute();
};

describe("sending", () => {
  test("sends one mail for sixteen concurrent deliveries of one event", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    const outcomes = await sixteen(() => deliver(deps, event));
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(smtp.mails.map(({ to }) => to)).toEqual([[event.data.email]]);
    expect(await rowsOf(event)).toMatchObject([{ state: "sent", attempts: 1, lastError: null }]);
  });

  test("does not send a sent mail again", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    await deliver(deps, event);
    await deliver(deps, event);
    expect(smtp.mails).toHaveLength(1);
    expect(await rowOf(event)).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("uses the same message id for every attempt", async () => {
    const event = newEvent();
    await deliver(depsWith(smtp.url), event);
    expect(smtp.mails[0]?.messageId).toBe(`<${(await rowOf(event))?.id}@example.com>`);
  });

  test("encrypts the stored content of a mail", async () => {
    const event = newEvent();
    await deliver(depsWith(smtp.url), event);
    expect(JSON.stringify(await rowOf(event))).not.toContain("hush");
  });

  test("records each delivery in the audit log once, without its link", async () => {
    const event = newEvent();
    await sixteen(() => deliver(depsWith(smtp.url), event));
    const id = (await rowOf(event))?.id ?? "";
    const audit = await db.selectFrom("audit").selectAll().where("subjectId", "=", id).execute();
    expect(audit).toMatchObject([{ action: "delivery.queued", actorKind: "system" }]);
    expect(JSON.stringify(audit)).not.toContain("hush");
  });
});

describe("a process that ends while it sends", () => {
  test("keeps the mail from others until its lease is over", async () => {
    const event = newEvent();
    await abandon(event);
    await age(event, leaseSeconds / 2);
    expect(await deliver(depsWith(smtp.url), event)).toBeUndefined();
    expect(smtp.mails).toHaveLength(0);
  });

  test("does not keep it longer if its clock was an hour ahead", async () => {
    const event = newEvent();
    clock.advance(3_600_000);
    await abandon(event);
    clock.advance(-3_600_000);
    await age(event, leaseSeconds + 1);
    await deliver(depsWith(smtp.url), event);
    expect(smtp.mails).toHaveLength(1);
  });

  test("leaves the mail to one of sixteen processes after its lease", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    await abandon(event);
    await age(event, leaseSeconds + 1);
    await sixteen(() => deliver(deps, event));
    expect(smtp.mails).toHaveLength(1);
    expect(await rowOf(event)).toMatchObject({ state: "sent", attempts: 3, leaseUntil: null });
  });

  test("repeatedly does not exceed the maximum of attempts", async () => {
    const event = newEvent();
    await abandon(event);
    for (let attempts = 2; attempts < attemptsMax; attempts += 1) {
      await age(event, leaseSeconds + 1);
      await claimAll(db);
    }
    await age(event, leaseSeconds + 1);
    await deliver(depsWith(smtp.url), event);
    expect(smtp.mails).toHaveLength(0);
    expect(await rowOf(event)).toMatchObject({ state: "failed", leaseUntil: null });
  });

  /** A slow server replies after the lease: its late refusal must not cause another mail. */
  test("cannot change the outcome of a mail that another process has sent", async () => {
    const slow = await startSlowSmtp();
    const event = newEvent();
    const first = deliver(depsWith(slow.url), event);
    try {
      await until(() => slow.isHolding());
      await age(event, leaseSeconds + 1);
      await deliver(depsWith(smtp.url), event);
      expect(await rowOf(event)).toMatchObject({ state: "sent", attempts: 2 });
      slow.answer("451 Try again later");
      await first;
    } finally {
      await slow.stop();
    }
    expect(await rowOf(event)).toMatchObject({ state: "sent", attempts: 2, lastError: null });
    await deliver(depsWith(smtp.url), event);
    expect(smtp.mails).toHaveLength(1);
  });
});

/** Attack: a server hangs for the mails of many mailboxes, so that nobody else gets a code to sign in. */
test("mails that failed before leave half of the attempts to new ones, and none of these waits for them", async () => {
  const deps = depsWith(smtp.url);
  smtp.refuse("temporary");
  const storeSix = async () => {
    for (let count = 0; count < 6; count += 1) await store(deps, newEvent());
  };
  await storeSix();
  await attemptAll(deps);
  await db
    .updateTable("delivery")
    .set({ leaseUntil: new Date(0) })
    .execute();
  await storeSix();
  const claim = (repeatedLimit: number) =>
    claimDeliveries(db, { channel: "mail", limit: 8, repeatedLimit, leaseSeconds });
  const triesOf = async (repeatedLimit: number) =>
    (await claim(repeatedLimit)).map(({ tries }) => tries).toSorted();
  expect(await triesOf(4)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  expect(await triesOf(0)).toEqual([1, 1]);
  expect(await triesOf(4)).toEqual([2, 2]);
});

describe("a failure", () => {
  test("that is temporary is recorded and retried until the mail is sent", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    smtp.refuse("temporary");
    await deliver(deps, event);
    expect(await rowOf(event)).toMatchObject({
      state: "retrying",
      attempts: 1,
      lastError: expect.stringContaining("451") as string,
      settledAt: null,
    });
    smtp.refuse("none");
    await deliver(deps, event);
    expect(smtp.mails).toHaveLength(1);
    expect(await rowOf(event)).toMatchObject({ state: "sent", attempts: 2, lastError: null });
  });

  test("of an unavailable server is temporary", async () => {
    const event = newEvent();
    const deps = depsWith(`smtp://127.0.0.1:${await freePort()}`);
    await deliver(deps, event);
    expect(await rowOf(event)).toMatchObject({ state: "retrying", attempts: 1 });
  });

  test("that rejects the recipient permanently ends the mail at once", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    smtp.refuse("permanent");
    await deliver(deps, event);
    expect(await rowOf(event)).toMatchObject({
      state: "failed",
      attempts: 1,
      lastError: expect.stringContaining("550") as string,
      settledAt: new Date(clock.now()),
    });
    smtp.refuse("none");
    await deliver(deps, event);
    expect(smtp.mails).toHaveLength(0);
  });

  /** Attack: the link is read from the error, without the right to read the mail. */
  test.each([
    ["550 Spam:", "failed"],
    ["451 Later:", "retrying"],
  ])("whose reason (%s) quotes the link is recorded without the link", async (code, state) => {
    const slow = await startSlowSmtp();
    const event = newEvent();
    const attempt = deliver(depsWith(slow.url), event);
    try {
      await until(() => slow.isHolding());
      slow.answer(`${code} <${url.toUpperCase()}>, (${url}) is listed, see https://help.example`);
      await attempt;
    } finally {
      await slow.stop();
    }
    expect(await rowOf(event)).toMatchObject({
      state,
      lastError: expect.stringContaining(
        `${code} [link] [link] is listed, see https://help.example`,
      ) as string,
    });
  });

  /** Attack: a server's reply contains text that the database rejects, so that the mail is neither settled nor retried. */
  test("whose reason contains NUL is recorded", async () => {
    const slow = await startSlowSmtp();
    const event = newEvent();
    const attempt = deliver(depsWith(slow.url), event);
    try {
      await until(() => slow.isHolding());
      slow.answer("550 No \0 such user");
      await attempt;
    } finally {
      await slow.stop();
    }
    const lastError = expect.stringContaining("550 No \u{FFFD} such user") as string;
    expect(await rowOf(event)).toMatchObject({ state: "failed", lastError });
  });

  /** Attack: the SMTP password is read from the error, in which the server quotes it. */
  test("to sign in reveals neither user nor password", async () => {
    const event = newEvent();
    const guarded = await startSlowSmtp({ quotesSignIn: true });
    const smtpUrl = guarded.url.replace("//", "//carol:correct%20horse@");
    await deliver(depsWith(smtpUrl), event);
    await guarded.stop();
    const lastError = "the SMTP server rejected the sign-in: EAUTH 535";
    expect(await rowOf(event)).toMatchObject({ state: "retrying", lastError });
  });

  test("that persists ends the mail after the maximum of attempts", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    smtp.refuse("temporary");
    const states: unknown[] = [];
    for (let count = 0; count < attemptsMax; count += 1)
      states.push((await deliver(deps, event))?.state);
    expect(states).toEqual(["retrying", "retrying", "failed"]);
    expect(await rowOf(event)).toMatchObject({ state: "failed", attempts: attemptsMax });
    smtp.refuse("none");
    await deliver(deps, event);
    expect(smtp.mails).toHaveLength(0);
    expect(await rowOf(event)).toMatchObject({ attempts: attemptsMax });
  });

  test("that lasts until the link expires ends the mail", async () => {
    const event = newEvent();
    const lifetimeMs = 3_600_000;
    event.data.expiresAt = new Date(clock.now() + lifetimeMs).toISOString();
    smtp.refuse("temporary");
    await deliver(depsWith(smtp.url), event);
    smtp.refuse("none");
    await db
      .updateTable("delivery")
      .set(sql`send_before`, sql`send_before - make_interval(secs => ${lifetimeMs / 1_000})`)
      .where("eventId", "=", event.id)
      .execute();
    await deliver(depsWith(smtp.url), event);
    expect(await rowOf(event)).toMatchObject({
      state: "failed",
      lastError: "the link expired before the mail could be sent",
    });
    expect(smtp.mails).toHaveLength(0);
  });

  test("does not occur if the mailer's clock is behind", async () => {
    const [event, hourMs] = [newEvent(), 3_600_000];
    event.data.expiresAt = new Date(clock.now() + hourMs).toISOString();
    smtp.refuse("temporary");
    const behind = { ...depsWith(smtp.url), clock: () => clock.now() - hourMs };
    await deliver(behind, event);
    smtp.refuse("none");
    await deliver(depsWith(smtp.url), event);
    expect(await rowOf(event)).toMatchObject({ state: "sent" });
  });

  test("does not occur if the publisher's clock is behind", async () => {
    const event = newEvent();
    const hourMs = 3_600_000;
    event.occurredAt = new Date(clock.now() - hourMs).toISOString();
    event.data.expiresAt = new Date(clock.now()).toISOString();
    await deliver(depsWith(smtp.url), event);
    expect(await rowOf(event)).toMatchObject({ state: "sent" });
  });

  test("does not occur if the publisher's clock is set forward between the link and its event", async () => {
    const event = newEvent();
    event.data.expiresAt = new Date(clock.now()).toISOString();
    event.occurredAt = new Date(clock.now() + 1).toISOString();
    await deliver(depsWith(smtp.url), event);
    expect(await rowOf(event)).toMatchObject({ state: "sent" });
  });

  test("to decrypt content of a removed secret ends the mail at once", async () => {
    const event = newEvent();
    smtp.refuse("temporary");
    await deliver(depsWith(smtp.url), event);
    smtp.refuse("none");
    const other = createSecretRing(["another secret, that opens nothing of ours"]);
    await deliver({ ...depsWith(smtp.url), ring: other }, event);
    expect(await rowOf(event)).toMatchObject({ state: "failed", attempts: 2 });
    expect(smtp.mails).toHaveLength(0);
  });
});

describe("the history of a mail", () => {
  const reason = (code: string) => expect.stringContaining(code) as string;

  test("keeps the outcome and the reason of every attempt", async () => {
    const [deps, event] = [depsWith(smtp.url), newEvent()];
    smtp.refuse("temporary");
    await deliver(deps, event);
    smtp.refuse("permanent");
    await deliver(deps, event);
    expect(await attemptsOf(event)).toEqual([
      { number: 1, outcome: "retrying", reason: reason("451"), isOver: true },
      { number: 2, outcome: "failed", reason: reason("550"), isOver: true },
    ]);
  });

  test("has one attempt for sixteen concurrent deliveries", async () => {
    const event = newEvent();
    await sixteen(() => deliver(depsWith(smtp.url), event));
    expect(await attemptsOf(event)).toEqual([
      { number: 1, outcome: "sent", reason: null, isOver: true },
    ]);
  });

  test("keeps an attempt whose process ended before the outcome was recorded", async () => {
    const event = newEvent();
    await abandon(event);
    await age(event, leaseSeconds + 1);
    await deliver(depsWith(smtp.url), event);
    expect(await attemptsOf(event)).toEqual([
      { number: 1, outcome: "retrying", reason: reason("451"), isOver: true },
      { number: 2, outcome: null, reason: null, isOver: null },
      { number: 3, outcome: "sent", reason: null, isOver: true },
    ]);
  });

  test("keeps the last 50 attempts, which are deleted with the mail", async () => {
    const event = newEvent();
    await abandon(event);
    for (let count = 0; count < 53; count += 1) {
      await age(event, leaseSeconds + 1);
      await claimAll(db);
    }
    const numbers = (await attemptsOf(event)).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 6));
    const { id = "" } = (await rowOf(event)) ?? {};
    await db.deleteFrom("delivery").where("id", "=", id).execute();
    const { count } = await db
      .selectFrom("deliveryAttempt")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("deliveryId", "=", id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });
});

describe("without an SMTP server", () => {
  test("stores a mail encrypted and logs its link once", async () => {
    const [deps, event] = [depsWith(undefined), newEvent()];
    await sixteen(() => deliver(deps, event));
    await deliver(deps, event);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain(event.data.email);
    expect(log[0]).toContain(url);
    const row = await rowOf(event);
    expect(row).toMatchObject({ state: "captured", attempts: 1, recipient: event.data.email });
    expect(JSON.stringify(row)).not.toContain("hush");
    expect(unseal(plainDeps.ring, "mail content", row?.contentSealed ?? "")).toContain(url);
  });
});

/** Replies like a server that requires sign-in and rejects everybody. */
const answerToSignIn = (line: string): string => {
  if (line.startsWith("EHLO")) return "250-smtp.example\r\n250 AUTH PLAIN";
  const said = Buffer.from(line.split(" ")[2] ?? "", "base64").toString();
  return `535 bad command ${line}: ${said.replaceAll("\0", ":")}`;
};

/** Starts a server that accepts a mail and replies only on request. */
const startSlowSmtp = async ({ quotesSignIn = false } = {}) => {
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined); // the client may hang up first
    socket.write("220 Ready\r\n");
    let isMail = false;
    createInterface({ input: socket }).on("line", (line) => {
      if (quotesSignIn) socket.write(`${answerToSignIn(line)}\r\n`);
      else if (isMail && line === ".") waiting.push(socket);
      else if (!isMail) socket.write(line === "DATA" ? "354 Go on\r\n" : "250 Ok\r\n");
      isMail = (isMail && line !== ".") || line === "DATA";
    });
  });
  server.listen(0, "127.0.0.1");
  await onceEvent(server, "listening");
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    isHolding: () => waiting.length > 0,
    answer: (text: string) => {
      for (const socket of waiting.splice(0)) socket.write(`${text}\r\n`);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await onceEvent(server, "close");
    },
  };
};
