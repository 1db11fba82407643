import { serviceNames, serviceVariables } from "@latchkey/contracts";
import { createSecretRing, seal } from "@latchkey/crypto";
import { type Bus, createBus, createLogger } from "@latchkey/service-kit";
import { createTestRedis, type SmtpCatcher, startSmtpCatcher, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { roleUrl } from "../reach-database.ts";
import { type SplitStack, type SplitStores, startSplitStack } from "../split-stack.ts";
import { openPool } from "./open-pool.ts";
import { startScriptedSmtp } from "./scripted-smtp.ts";

/** Longer than BullMQ waits before it gives a dead worker's job to another, and than the first look at lost jobs. */
const recoveryMs = 45_000;

/** `autoSignIn` off: a session in a Redis that is down cannot begin, a registration can. */
const config = {
  emailAndPassword: { autoSignIn: false },
  emailVerification: { sendOnSignUp: true },
  rateLimit: { enabled: false },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
} as const;

const password = "correct horse battery";

interface DeliveryRow {
  event_id: string;
  state: string;
  attempts: number;
  last_error: string | null;
  settled_at: Date | null;
}

/** A stack that each test finds running, with what the tests ask of it. */
const useStack = (stores: SplitStores, bus = false) => {
  let stack: SplitStack;
  let pool: ReturnType<typeof openPool>;
  let opened: Bus | undefined;
  beforeAll(async () => {
    stack = await startSplitStack({ stores, config });
    pool = openPool(stack.databaseUrl);
    if (bus) opened = createBus(stack.settings, createLogger({ service: "test", level: "silent" }));
  });
  afterAll(async () => {
    await opened?.close();
    await pool?.end();
    await stack?.stop();
  });
  beforeEach(() => {
    stack.smtp.mails.length = 0;
  });
  const deliveryTo = async (email: string): Promise<DeliveryRow | undefined> => {
    const { rows } = await pool.query<DeliveryRow>(
      "select event_id, state, attempts, last_error, settled_at from mailer.delivery where recipient = $1",
      [email],
    );
    return rows[0];
  };
  return {
    stack: () => stack,
    pool: () => pool,
    bus: () => {
      if (!opened) throw new Error("This stack was asked for no bus");
      return opened;
    },
    deliveryTo,
    query: async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
      const { rows } = await pool.query<Row>(text, values);
      return rows;
    },
    isInState: async (email: string, state: string) => (await deliveryTo(email))?.state === state,
  };
};

type Use = ReturnType<typeof useStack>;

const addresses = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}@example.com`);

const signUp = async ({ url }: SplitStack, email: string): Promise<number> => {
  const answer = await fetch(`${url}/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email, password }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** Statuses of the sign-ups, eight at a time. */
const signUpAll = async (stack: SplitStack, emails: readonly string[]): Promise<number[]> => {
  const waiting = emails.values();
  const statuses: number[] = [];
  const signUpNext = async (): Promise<void> => {
    for (const email of waiting) statuses.push(await signUp(stack, email));
  };
  await Promise.all(Array.from({ length: 8 }, signUpNext));
  return statuses;
};

const nowhere = "postgres://nobody@127.0.0.1:1/nothing";
/** Has a service find no bus: past a pooler, nobody answers. */
const busNowhere = {
  DIRECT_DATABASE_URL: nowhere,
  ...Object.fromEntries(
    serviceNames.map((name) => [serviceVariables(name).directDatabaseUrl, roleUrl(nowhere, name)]),
  ),
};

const recipientsOf = ({ mails }: SmtpCatcher): string[] => mails.flatMap(({ to }) => to).sort();

/** Waits until all have their mail and none is still on its way, then compares: each once, and nobody else. */
const expectOneMailEach = async (use: Use, emails: readonly string[], smtp: SmtpCatcher) => {
  const unsettled = () =>
    use.query(
      "select recipient, state, attempts from mailer.delivery where recipient = any($1) and state <> 'sent'",
      [emails],
    );
  await until(() => smtp.mails.length >= emails.length, {
    timeoutMs: recoveryMs,
    describe: `${emails.length} mails`,
  });
  await until(async () => (await unsettled()).length === 0, { describe: "the mails' settlement" });
  expect(recipientsOf(smtp)).toEqual([...emails].sort());
};

const isOutboxPublished = async (use: Use): Promise<boolean> => {
  const rows = await use.query("select id from identity.outbox where published_at is null");
  return rows.length === 0;
};

/** Somebody with a verified address and a session, whose sign-up's mail is out of the way. */
const makePerson = async (use: Use, email: string, role = "user") => {
  const stack = use.stack();
  expect(await signUp(stack, email)).toBe(200);
  await stack.smtp.waitForMail(email);
  const [user] = await use.query<{ id: string }>(
    `update identity."user" set email_verified = true, role = $2 where email = $1 returning id`,
    [email, role],
  );
  const browser = createBrowserLike(stack.url);
  const tokens: string[] = [];
  for (const _ of ["first", "second"]) {
    const answer = await browser.post("/sign-in/email", { email, password });
    expect(answer.status).toBe(200);
    tokens.push(((await answer.json()) as { token: string }).token);
  }
  return { email, userId: user?.id ?? "", browser, tokens };
};
type Person = Awaited<ReturnType<typeof makePerson>>;

/** Which of somebody's sessions still open. */
const openTokens = async ({ url }: SplitStack, { tokens }: Person): Promise<string[]> => {
  const opened = tokens.map(async (token) => {
    const answer = await fetch(`${url}/get-session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) === null ? [] : [token];
  });
  return (await Promise.all(opened)).flat();
};

/** What has a mail sent to somebody, by the event that asks for it; of a sign-up it is the first. */
const mailRequests: Record<string, (person: Person) => Promise<Response>> = {
  "verification.requested": ({ browser }) =>
    browser.post("/sign-up/email", { name: "Ada", email: "new-here@example.com", password }),
  "password-reset.requested": ({ browser, email }) =>
    browser.post("/request-password-reset", { email }),
  "account-deletion.requested": ({ browser }) => browser.post("/delete-user"),
  "email-change.requested": ({ browser, email }) =>
    browser.post("/change-email", { newEmail: `new-${email}` }),
};

/** What ends every session of somebody, and the event that sees to it. */
const ends = {
  ban: {
    event: "session.revoked-all",
    ask: (admin: BrowserLike, userId: string) => admin.post("/admin/ban-user", { userId }),
  },
  "new password": {
    event: "session.revoked-all",
    ask: (admin: BrowserLike, userId: string) =>
      admin.post("/admin/set-user-password", { userId, newPassword: "chosen by staff" }),
  },
  deletion: {
    event: "user.deleted",
    ask: (admin: BrowserLike, userId: string) => admin.post("/admin/remove-user", { userId }),
  },
} as const;
type End = keyof typeof ends;

/** Lets identity commit to Postgres, and neither publish nor end sessions, until it is let go. */
type Hold = (use: Use) => Promise<() => Promise<void>>;

const holdPostgres: Hold = async (use) => {
  const client = await use.pool().connect();
  await client.query("begin");
  await client.query("lock table bus.job, identity.session in share mode");
  return async () => {
    await client.query("rollback");
    client.release();
  };
};

const holdRedis: Hold = async (use) => {
  const { client, close } = await createTestRedis(use.stack().redis?.url ?? "");
  await client.call("CLIENT", "PAUSE", "600000", "WRITE");
  return async () => {
    await client.call("CLIENT", "UNPAUSE");
    await close();
  };
};

/** The events of some names that are committed and not published. */
const unpublished = async (use: Use, names: readonly string[]): Promise<string[]> => {
  const rows = await use.query<{ name: string }>(
    "select name from identity.outbox where published_at is null and name = any($1) order by name",
    [names],
  );
  return rows.map(({ name }) => name);
};

/** Kills identity at the moment when it has committed some events and has done nothing else about them yet. */
const killAfterCommit = async (
  use: Use,
  hold: Hold,
  { ask, events }: { ask: () => Promise<unknown>; events: readonly string[] },
): Promise<void> => {
  await until(() => isOutboxPublished(use));
  const letGo = await hold(use);
  try {
    await ask();
    await until(async () => (await unpublished(use, events)).length >= events.length);
    await use.stack().kill("identity");
    expect(await unpublished(use, events)).toEqual([...events].sort());
  } finally {
    await letGo();
  }
};

/** The same guarantees wherever sessions and bus are; `late` is what commits before the sessions have ended. */
const testKills = (use: Use, { hold, late }: { hold: Hold; late: readonly End[] }) => {
  test("a mail of every kind, asked for while the mailer is down, outlives an identity killed between commit and publish", async () => {
    const stack = use.stack();
    const kinds = Object.keys(mailRequests);
    const people = new Map<string, Person>();
    for (const kind of kinds)
      people.set(kind, await makePerson(use, `${kind.replace(".", "-")}@example.com`));
    stack.smtp.mails.length = 0;
    await stack.kill("mailer");
    await killAfterCommit(use, hold, {
      ask: async () => {
        for (const [kind, person] of people)
          expect((await mailRequests[kind]?.(person))?.status).toBe(200);
      },
      events: kinds,
    });
    await stack.start("identity");
    await stack.start("mailer");
    const recipients = [...people].map(([kind, { email }]) =>
      kind === "verification.requested" ? "new-here@example.com" : email,
    );
    await expectOneMailEach(use, recipients, stack.smtp);
    const subjects = new Set(stack.smtp.mails.map(({ subject }) => subject));
    expect(subjects.size).toBe(kinds.length);
  });

  /** Attack: going on with a session, because the server that should end it died at the right moment. */
  test(`no session outlives a ${late.join(" or a ")}, though identity is killed right after its commit`, async () => {
    const stack = use.stack();
    const admin = await makePerson(use, "admin@example.com", "admin");
    const victims = new Map<End, Person>();
    for (const end of late)
      victims.set(end, await makePerson(use, `victim-of-${end.replace(" ", "-")}@example.com`));
    for (const [end, victim] of victims) {
      // One at a time: what one cannot write to a store that is held keeps others from reading there.
      let status: Promise<number> | undefined;
      await killAfterCommit(use, hold, {
        ask: async () => {
          status = ends[end].ask(admin.browser, victim.userId).then((answer) => answer.status);
        },
        events: [ends[end].event],
      });
      expect(await status).toBe(503);
      // So that they end indeed, and are not merely hidden by the ban.
      await use.query(`update identity."user" set banned = false`);
      await stack.start("identity");
      // What a dead identity still waited for when it was let go includes taking the job from the bus.
      await until(async () => (await openTokens(stack, victim)).length === 0, {
        timeoutMs: recoveryMs,
        describe: `the end of the sessions of ${victim.email}`,
      });
    }
    expect(await openTokens(stack, admin)).toEqual(admin.tokens);
  });
};

/** The envelope of an event as the relay publishes it. */
const findEnvelope = async (use: Use) => {
  const [row] = await use.query<{ id: string; version: number; occurred_at: Date; data: string }>(
    "select id, version, occurred_at, data from identity.outbox order by occurred_at desc limit 1",
  );
  if (!row) throw new Error("The outbox is empty");
  const { id, version, occurred_at, data } = row;
  const name = "verification.requested";
  return { id, name, version, occurredAt: occurred_at.toISOString(), data };
};

describe("on Postgres", () => {
  const use = useStack("postgres", true);
  // A deletion takes the rows of sessions with it.
  testKills(use, { hold: holdPostgres, late: ["ban", "new password"] });

  test("200 sign-ups while the mailer is down succeed, and each gets its one mail when it is back", async () => {
    const stack = use.stack();
    const emails = addresses("mailer-down", 200);
    await stack.kill("mailer");
    const statuses = await signUpAll(stack, emails);
    expect(statuses).toEqual(Array(200).fill(200));
    expect(stack.smtp.mails).toHaveLength(0);
    await stack.start("mailer");
    await expectOneMailEach(use, emails, stack.smtp);
  });

  test("mails wait for an SMTP server that is down, say why, and go out once each when it is back", async () => {
    const stack = use.stack();
    const emails = addresses("smtp-down", 5);
    const smtp = await startSmtpCatcher({});
    await stack.kill("mailer");
    await stack.start("mailer", { SMTP_URL: smtp.url });
    await smtp.stop();
    await signUpAll(stack, emails);
    for (const email of emails) await until(() => use.isInState(email, "retrying"));
    const waiting = await use.deliveryTo(emails[0]!);
    expect(waiting).toMatchObject({ state: "retrying", settled_at: null });
    expect(waiting?.attempts).toBeGreaterThanOrEqual(1);
    expect(waiting?.last_error).toMatch(/ECONNREFUSED/);

    const back = await startSmtpCatcher({ port: smtp.port });
    try {
      await expectOneMailEach(use, emails, back);
      const sent = await use.deliveryTo(emails[0]!);
      expect(sent).toMatchObject({ state: "sent", last_error: null });
      expect(sent?.attempts).toBeGreaterThanOrEqual(2);
      expect(sent?.settled_at).not.toBeNull();
    } finally {
      await stack.kill("mailer");
      await stack.start("mailer");
      await back.stop();
    }
  });

  test("a mailer killed while it sends sends the mail after its restart", async () => {
    const stack = use.stack();
    const hanging = await startScriptedSmtp({ onMail: () => undefined });
    try {
      await stack.kill("mailer");
      await stack.start("mailer", { SMTP_URL: hanging.url });
      await signUp(stack, "killed@example.com");
      await until(() => hanging.seen.includes("killed@example.com"));
      expect(await use.isInState("killed@example.com", "sending")).toBe(true);
      await stack.kill("mailer");
    } finally {
      await hanging.stop();
    }
    // The dead process holds the mail for two minutes more; this is those two minutes passing.
    await use.query("update mailer.delivery set lease_until = now() where recipient = $1", [
      "killed@example.com",
    ]);
    await stack.start("mailer");
    await expectOneMailEach(use, ["killed@example.com"], stack.smtp);
    expect(await use.deliveryTo("killed@example.com")).toMatchObject({
      state: "sent",
      attempts: 2,
    });
  });

  test("an event that is delivered again, sixteen times at once, sends no second mail", async () => {
    const stack = use.stack();
    await stack.kill("mailer");
    await signUp(stack, "twice@example.com");
    await until(() => isOutboxPublished(use));
    const envelope = await findEnvelope(use);
    const publish = (ids: readonly string[]) =>
      use.bus().publish(
        "mailer",
        ids.map((id) => ({ id, name: envelope.name, data: envelope })),
      );
    const areDone = async (ids: readonly string[]) => {
      const states = await use.bus().states("mailer", ids);
      return ids.every((id) => states.get(id) === "done");
    };
    const racing = Array.from({ length: 16 }, (_, index) => `racing-${index}-${envelope.id}`);
    await publish(racing);
    await stack.start("mailer");
    await until(() => areDone([envelope.id, ...racing]), { timeoutMs: recoveryMs });
    expect(recipientsOf(stack.smtp)).toEqual(["twice@example.com"]);

    await publish([envelope.id, `again-${envelope.id}`]);
    await until(() => areDone([envelope.id, `again-${envelope.id}`]));
    expect(recipientsOf(stack.smtp)).toEqual(["twice@example.com"]);
    expect(await use.deliveryTo("twice@example.com")).toMatchObject({ attempts: 1 });
  });

  test("payloads that can never be read end in the failed set at once and hold nobody up", async () => {
    const stack = use.stack();
    const name = "verification.requested";
    const occurredAt = new Date().toISOString();
    const [secret = ""] = stack.settings.options.secret;
    const sealWith = (secret: string, data: unknown) =>
      seal(createSecretRing([secret]), "event", JSON.stringify(data));
    const envelope = { id: "poison", name, version: 1, occurredAt };
    const poison = {
      "poison-no-event": "not an event",
      "poison-null": null,
      "poison-not-sealed": { ...envelope, data: '{"email":"eve@example.com"}' },
      "poison-other-secret": { ...envelope, data: sealWith("another secret, not ours", {}) },
      "poison-schema": { ...envelope, data: sealWith(secret, { email: 7 }) },
      "poison-version": { ...envelope, version: 99, data: sealWith(secret, {}) },
    };
    const ids = Object.keys(poison);
    const failedBefore = (await use.bus().counts("mailer"))["failed"] ?? 0;
    await use.bus().publish(
      "mailer",
      Object.entries(poison).map(([id, data]) => ({ id, name, data })),
    );
    await signUp(stack, "after-poison@example.com");
    await stack.smtp.waitForMail("after-poison@example.com");
    await until(async () => {
      const states = await use.bus().states("mailer", ids);
      return ids.every((id) => states.get(id) === "failed");
    });
    expect((await use.bus().counts("mailer"))["failed"]).toBe(failedBefore + ids.length);
    expect(recipientsOf(stack.smtp)).toEqual(["after-poison@example.com"]);
  });

  test("a recipient that the SMTP server refuses for good has failed at the first try; others get their mail", async () => {
    const stack = use.stack();
    const refusing = await startScriptedSmtp({
      onRecipient: (address) => (address.startsWith("refused") ? "550 No such mailbox" : "250 Ok"),
    });
    try {
      await stack.kill("mailer");
      await stack.start("mailer", { SMTP_URL: refusing.url });
      await signUpAll(stack, ["refused@example.com", ...addresses("accepted", 4)]);
      await until(() => use.isInState("refused@example.com", "failed"));
      for (const email of addresses("accepted", 4)) await until(() => use.isInState(email, "sent"));
      expect(refusing.seen.toSorted()).toEqual(addresses("accepted", 4));
      const failed = await use.deliveryTo("refused@example.com");
      expect(failed).toMatchObject({ attempts: 1 });
      expect(failed?.last_error).toMatch(/550/);
      const id = failed?.event_id ?? "";
      await until(async () => (await use.bus().states("mailer", [id])).get(id) === "failed");
    } finally {
      await stack.kill("mailer");
      await stack.start("mailer");
      await refusing.stop();
    }
  });

  test("events of an identity killed between commit and publish go out when it is back", async () => {
    const stack = use.stack();
    const emails = addresses("unpublished", 16);
    await stack.kill("identity");
    await stack.start("identity", busNowhere);
    expect(await signUpAll(stack, emails)).toEqual(Array(16).fill(200));
    await stack.kill("identity");
    expect(await isOutboxPublished(use)).toBe(false);
    expect(stack.smtp.mails).toHaveLength(0);
    await stack.start("identity");
    await expectOneMailEach(use, emails, stack.smtp);
  });
});

describe("on Redis", () => {
  const use = useStack("own redis");
  testKills(use, { hold: holdRedis, late: ["ban", "new password", "deletion"] });

  const redisOf = ({ redis }: SplitStack) => {
    if (!redis) throw new Error("This stack has no Redis of its own");
    return redis;
  };

  test("200 sign-ups, before and during the loss of a Redis that forgets all, each get their one mail", async () => {
    const stack = use.stack();
    const before = addresses("redis-lost", 100);
    const during = addresses("redis-down", 100);
    await stack.kill("mailer");
    expect(await signUpAll(stack, before)).toEqual(Array(100).fill(200));
    await until(() => isOutboxPublished(use));
    await redisOf(stack).kill();
    expect(await signUpAll(stack, during)).toEqual(Array(100).fill(200));
    expect(await stack.readiness("identity")).toMatchObject({
      status: 503,
      checks: { postgres: true, bus: false },
    });
    await redisOf(stack).restart();
    await stack.start("mailer");
    await expectOneMailEach(use, [...before, ...during], stack.smtp);
  });

  test("events of an identity killed between commit and publish go out when it and Redis are back", async () => {
    const stack = use.stack();
    const emails = addresses("unpublished", 16);
    await stack.kill("identity");
    await redisOf(stack).kill();
    await stack.start("identity");
    expect(await signUpAll(stack, emails)).toEqual(Array(16).fill(200));
    await stack.kill("identity");
    expect(await isOutboxPublished(use)).toBe(false);
    await redisOf(stack).restart();
    await stack.start("identity");
    await expectOneMailEach(use, emails, stack.smtp);
  });
});
