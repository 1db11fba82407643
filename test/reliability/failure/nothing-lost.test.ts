import { serviceNames, serviceVariables } from "@latchkey/contracts";
import { createSecretRing, seal } from "@latchkey/crypto";
import { type Bus, createBus } from "@latchkey/service-kit/bus";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestRedis, type SmtpCatcher, startSmtpCatcher, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import { roleUrl } from "../../harness/database-environment.ts";
import { matrixOnly, matrixTest, matrixValue } from "../../harness/matrix.ts";
import type { ProcessSystem } from "../../harness/start-system.ts";
import type { StoreKind } from "../../harness/stores.ts";
import { startScriptedSmtp } from "./scripted-smtp.ts";
import { useSystem } from "../../harness/use-system.ts";
import { openPool } from "../../harness/rows.ts";

/**
 * Longer than BullMQ waits before it assigns a dead worker's job to another, and longer than until its first check for lost jobs.
 */
const recoveryMs = 180_000;

/** `autoSignIn` is off, because a session cannot be created while Redis is down, but a user can. */
const config = {
  emailAndPassword: { autoSignIn: false },
  emailVerification: { sendOnSignUp: true },
  magicLink: { enabled: true },
  emailOTP: { enabled: true },
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

/** A system that is running before each test, with helpers. */
const useStack = (stores: StoreKind, bus = false) => {
  let pool: ReturnType<typeof openPool>;
  let opened: Bus | undefined;
  const { system } = useSystem({ topology: "processes", stores, config });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
    if (bus)
      opened = await createBus(system.settings, createLogger({ service: "test", level: "silent" }));
  });
  afterAll(async () => {
    await opened?.close();
    await pool?.end();
  });
  beforeEach(() => {
    system.smtp.mails.length = 0;
  });
  const deliveryTo = async (email: string): Promise<DeliveryRow | undefined> => {
    const { rows } = await pool.query<DeliveryRow>(
      "select event_id, state, attempts, last_error, settled_at from mailer.delivery where recipient = $1",
      [email],
    );
    return rows[0];
  };
  return {
    system: () => system,
    pool: () => pool,
    bus: () => {
      if (!opened) throw new Error("This system was started without access to its bus");
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

const signUp = async ({ url }: ProcessSystem, email: string): Promise<number> => {
  const answer = await fetch(`${url}/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email, password }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** Returns the statuses of the sign-ups, eight in parallel. */
const signUpAll = async (system: ProcessSystem, emails: readonly string[]): Promise<number[]> => {
  const waiting = emails.values();
  const statuses: number[] = [];
  const signUpNext = async (): Promise<void> => {
    for (const email of waiting) statuses.push(await signUp(system, email));
  };
  await Promise.all(Array.from({ length: 8 }, signUpNext));
  return statuses;
};

const nowhere = "postgres://nobody@127.0.0.1:1/nothing";
/** Environment in which a service finds no bus: past a pooler, the address does not answer. */
const busNowhere = {
  DIRECT_DATABASE_URL: nowhere,
  ...Object.fromEntries(
    serviceNames.map((name) => [serviceVariables(name).directDatabaseUrl, roleUrl(nowhere, name)]),
  ),
};

const recipientsOf = ({ mails }: SmtpCatcher): string[] => mails.flatMap(({ to }) => to).sort();

/** Waits until all mails are sent, then asserts that each user got one and nobody else did. */
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

/** Creates a user with a verified address and a session, whose sign-up mail has been sent. */
const makePerson = async (use: Use, email: string, role = "user") => {
  const system = use.system();
  expect(await signUp(system, email)).toBe(200);
  await system.smtp.waitForMail(email);
  const [user] = await use.query<{ id: string }>(
    `update identity."user" set email_verified = true, role = $2 where email = $1 returning id`,
    [email, role],
  );
  const browser = createBrowserLike(system.url);
  const tokens: string[] = [];
  for (const _ of ["first", "second"]) {
    const answer = await browser.post("/sign-in/email", { email, password });
    expect(answer.status).toBe(200);
    tokens.push(((await answer.json()) as { token: string }).token);
  }
  return { email, userId: user?.id ?? "", browser, tokens };
};
type Person = Awaited<ReturnType<typeof makePerson>>;

/** Returns the tokens of a user that still open a session. */
const openTokens = async ({ url }: ProcessSystem, { tokens }: Person): Promise<string[]> => {
  const opened = tokens.map(async (token) => {
    const answer = await fetch(`${url}/get-session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) === null ? [] : [token];
  });
  return (await Promise.all(opened)).flat();
};

/** Requests that send a mail to a user, by event. For a sign-up it is the first mail. */
const mailRequests: Record<string, (person: Person) => Promise<Response>> = {
  "verification.requested": ({ browser }) =>
    browser.post("/sign-up/email", { name: "Ada", email: "new-here@example.com", password }),
  "password-reset.requested": ({ browser, email }) =>
    browser.post("/request-password-reset", { email }),
  "account-deletion.requested": ({ browser }) => browser.post("/delete-user"),
  "email-change.requested": ({ browser, email }) =>
    browser.post("/change-email", { newEmail: `new-${email}` }),
  "sign-in-link.requested": ({ browser, email }) => browser.post("/sign-in/magic-link", { email }),
  "email-code.requested": ({ browser, email }) =>
    browser.post("/email-otp/send-verification-otp", { email, type: "sign-in" }),
  "two-factor-code.requested": ({ browser }) => browser.post("/two-factor/send-otp"),
};

/** Actions that end every session of a user, with their event. */
const ends = {
  ban: {
    event: "session.revoked-all",
    act: (admin: BrowserLike, userId: string) => admin.post("/admin/ban-user", { userId }),
  },
  "new password": {
    event: "session.revoked-all",
    act: (admin: BrowserLike, userId: string) =>
      admin.post("/admin/set-user-password", { userId, newPassword: "chosen by staff" }),
  },
  deletion: {
    event: "user.deleted",
    act: (admin: BrowserLike, userId: string) => admin.post("/admin/remove-user", { userId }),
  },
} as const;
type End = keyof typeof ends;

/** Lets identity commit to Postgres, but neither publish nor end sessions. Returns the release function. */
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
  const { client, close } = await createTestRedis(use.system().redis?.url ?? "");
  await client.call("CLIENT", "PAUSE", "600000", "WRITE");
  return async () => {
    await client.call("CLIENT", "UNPAUSE");
    await close();
  };
};

/** Returns the names of committed, unpublished events among those given. */
const unpublished = async (use: Use, names: readonly string[]): Promise<string[]> => {
  const rows = await use.query<{ name: string }>(
    "select name from identity.outbox where published_at is null and name = any($1) order by name",
    [names],
  );
  return rows.map(({ name }) => name);
};

/** Kills identity when it has committed some events and not processed them yet. */
const killAfterCommit = async (
  use: Use,
  hold: Hold,
  { act, events }: { act: () => Promise<unknown>; events: readonly string[] },
): Promise<void> => {
  await until(() => isOutboxPublished(use));
  const letGo = await hold(use);
  try {
    await act();
    await until(async () => (await unpublished(use, events)).length >= events.length);
    await use.system().kill("identity");
    expect(await unpublished(use, events)).toEqual([...events].sort());
  } finally {
    await letGo();
  }
};

/** Tests the same guarantees for each store of sessions and bus. The actions in `late` commit before the sessions have ended. */
const testKills = (use: Use, { hold, late }: { hold: Hold; late: readonly End[] }) => {
  test("a mail of every kind, requested while the mailer is down, survives an identity killed between commit and publish", async () => {
    const system = use.system();
    const kinds = Object.keys(mailRequests);
    const users = new Map<string, Person>();
    for (const kind of kinds)
      users.set(kind, await makePerson(use, `${kind.replace(".", "-")}@example.com`));
    system.smtp.mails.length = 0;
    await system.kill("mailer");
    await killAfterCommit(use, hold, {
      act: async () => {
        for (const [kind, person] of users)
          expect((await mailRequests[kind]?.(person))?.status).toBe(200);
      },
      events: kinds,
    });
    await system.start("identity");
    await system.start("mailer");
    const recipients = [...users].map(([kind, { email }]) =>
      kind === "verification.requested" ? "new-here@example.com" : email,
    );
    await expectOneMailEach(use, recipients, system.smtp);
    const subjects = new Set(system.smtp.mails.map(({ subject }) => subject));
    expect(subjects.size).toBe(kinds.length);
  });

  /** Attack: using a session further because the server that should end it died at the right moment. */
  test(`no session outlives a ${late.join(" or a ")} although identity is killed right after its commit`, async () => {
    const system = use.system();
    const admin = await makePerson(use, "admin@example.com", "admin");
    const victims = new Map<End, Person>();
    for (const end of late)
      victims.set(end, await makePerson(use, `victim-of-${end.replace(" ", "-")}@example.com`));
    for (const [end, victim] of victims) {
      // One at a time: a write to a blocked store would block reads of the others.
      let status: Promise<number> | undefined;
      await killAfterCommit(use, hold, {
        act: async () => {
          status = ends[end].act(admin.browser, victim.userId).then((answer) => answer.status);
        },
        events: [ends[end].event],
      });
      expect(await status).toBe(503);
      // Shows that the sessions have ended and are not only hidden by the ban.
      await use.query(`update identity."user" set banned = false`);
      await system.start("identity");
      // A blocked call of the dead identity may take the job from the bus when it is released, so wait for the job's recovery.
      await until(async () => (await openTokens(system, victim)).length === 0, {
        timeoutMs: recoveryMs,
        describe: `the end of the sessions of ${victim.email}`,
      });
    }
    expect(await openTokens(system, admin)).toEqual(admin.tokens);
  });
};

/** Returns the envelope of an event as the relay publishes it. */
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
  // A deletion removes the rows of sessions itself.
  for (const kills of matrixOnly({ hold: holdPostgres, late: ["ban", "new password"] as const }))
    testKills(use, kills);

  matrixTest("60 sign-ups succeed while the mailer is down, and each gets one mail", async () => {
    const system = use.system();
    const emails = addresses("mailer-down", 60);
    await system.kill("mailer");
    const statuses = await signUpAll(system, emails);
    expect(statuses).toEqual(Array(60).fill(200));
    expect(system.smtp.mails).toHaveLength(0);
    await system.start("mailer");
    await expectOneMailEach(use, emails, system.smtp);
  });

  matrixTest(
    "mails wait for an SMTP server that is down, record the reason, and are sent once when it is back",
    async () => {
      const system = use.system();
      const emails = addresses("smtp-down", 5);
      const smtp = await startSmtpCatcher({});
      await system.kill("mailer");
      await system.start("mailer", { SMTP_URL: smtp.url });
      await smtp.stop();
      await signUpAll(system, emails);
      for (const email of emails) {
        // A delivery that waits is tried again now and then, so it is read when it is seen waiting.
        const waiting = await until(async () => {
          const delivery = await use.deliveryTo(email);
          return delivery?.state === "retrying" ? delivery : undefined;
        });
        expect(waiting.settled_at).toBeNull();
        expect(waiting.attempts).toBeGreaterThanOrEqual(1);
        expect(waiting.last_error).toMatch(/ECONNREFUSED/);
      }

      const back = await startSmtpCatcher({ port: smtp.port });
      try {
        await expectOneMailEach(use, emails, back);
        const sent = await use.deliveryTo(emails[0]!);
        expect(sent).toMatchObject({ state: "sent", last_error: null });
        expect(sent?.attempts).toBeGreaterThanOrEqual(2);
        expect(sent?.settled_at).not.toBeNull();
      } finally {
        await system.kill("mailer");
        await system.start("mailer");
        await back.stop();
      }
    },
  );

  test("a mailer killed while it sends sends the mail after its restart", async () => {
    const system = use.system();
    const hanging = await startScriptedSmtp({ onMail: () => undefined });
    try {
      await system.kill("mailer");
      await system.start("mailer", { SMTP_URL: hanging.url });
      await signUp(system, "killed@example.com");
      await until(() => hanging.seen.includes("killed@example.com"));
      expect(await use.isInState("killed@example.com", "sending")).toBe(true);
      await system.kill("mailer");
    } finally {
      await hanging.stop();
    }
    // Simulates the two minutes for which the dead process still holds the lease.
    await use.query("update mailer.delivery set lease_until = now() where recipient = $1", [
      "killed@example.com",
    ]);
    await system.start("mailer");
    await expectOneMailEach(use, ["killed@example.com"], system.smtp);
    expect(await use.deliveryTo("killed@example.com")).toMatchObject({
      state: "sent",
      attempts: 2,
    });
  });

  matrixTest("an event that is redelivered 16 times sends no second mail", async () => {
    const system = use.system();
    await system.kill("mailer");
    await signUp(system, "twice@example.com");
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
    await system.start("mailer");
    await until(() => areDone([envelope.id, ...racing]), { timeoutMs: recoveryMs });
    await until(() => use.isInState("twice@example.com", "sent"));
    expect(recipientsOf(system.smtp)).toEqual(["twice@example.com"]);

    await publish([envelope.id, `again-${envelope.id}`]);
    await until(() => areDone([envelope.id, `again-${envelope.id}`]));
    expect(recipientsOf(system.smtp)).toEqual(["twice@example.com"]);
    expect(await use.deliveryTo("twice@example.com")).toMatchObject({ attempts: 1 });
  });

  test("unreadable payloads fail at once and block no other event", async () => {
    const system = use.system();
    const name = "verification.requested";
    const occurredAt = new Date().toISOString();
    const [secret = ""] = system.settings.options.secret;
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
    await signUp(system, "after-poison@example.com");
    await system.smtp.waitForMail("after-poison@example.com");
    await until(async () => {
      const states = await use.bus().states("mailer", ids);
      return ids.every((id) => states.get(id) === "failed");
    });
    expect((await use.bus().counts("mailer"))["failed"]).toBe(failedBefore + ids.length);
    expect(recipientsOf(system.smtp)).toEqual(["after-poison@example.com"]);
  });

  matrixTest(
    "a mail to a permanently rejected recipient fails at the first attempt, and others are sent",
    async () => {
      const system = use.system();
      const refusing = await startScriptedSmtp({
        onRecipient: (address) =>
          address.startsWith("refused") ? "550 No such mailbox" : "250 Ok",
      });
      try {
        await system.kill("mailer");
        await system.start("mailer", { SMTP_URL: refusing.url });
        await signUpAll(system, ["refused@example.com", ...addresses("accepted", 4)]);
        await until(() => use.isInState("refused@example.com", "failed"));
        for (const email of addresses("accepted", 4))
          await until(() => use.isInState(email, "sent"));
        expect(refusing.seen.toSorted()).toEqual(addresses("accepted", 4));
        const failed = await use.deliveryTo("refused@example.com");
        expect(failed).toMatchObject({ attempts: 1 });
        expect(failed?.last_error).toMatch(/550/);
        const id = failed?.event_id ?? "";
        await until(async () => (await use.bus().states("mailer", [id])).get(id) === "done");
      } finally {
        await system.kill("mailer");
        await system.start("mailer");
        await refusing.stop();
      }
    },
  );

  test("events of an identity killed between commit and publish are published when it is back", async () => {
    const system = use.system();
    const emails = addresses("unpublished", 16);
    await system.kill("identity");
    await system.start("identity", busNowhere);
    expect(await signUpAll(system, emails)).toEqual(Array(16).fill(200));
    await system.kill("identity");
    expect(await isOutboxPublished(use)).toBe(false);
    expect(system.smtp.mails).toHaveLength(0);
    await system.start("identity");
    await expectOneMailEach(use, emails, system.smtp);
  });
});

describe("on Redis", () => {
  const use = useStack("own redis");
  testKills(use, {
    hold: holdRedis,
    late: matrixValue<End[]>(["ban"], ["ban", "new password", "deletion"]),
  });

  const redisOf = ({ redis }: ProcessSystem) => {
    if (!redis) throw new Error("This system has no separate Redis");
    return redis;
  };

  test("sign-ups before and during the loss of all data in Redis each get one mail", async () => {
    const system = use.system();
    const before = addresses("redis-lost", 10);
    const during = addresses("redis-down", 10);
    await system.kill("mailer");
    expect(await signUpAll(system, before)).toEqual(Array(10).fill(200));
    await until(() => isOutboxPublished(use));
    await redisOf(system).kill();
    expect(await signUpAll(system, during)).toEqual(Array(10).fill(200));
    expect(await system.readiness("identity")).toMatchObject({
      status: 503,
      checks: { postgres: true, bus: false },
    });
    await redisOf(system).restart();
    await system.start("mailer");
    await expectOneMailEach(use, [...before, ...during], system.smtp);
  });

  matrixTest("unpublished events are published when identity and Redis are back", async () => {
    const system = use.system();
    const emails = addresses("unpublished", 16);
    await system.kill("identity");
    await redisOf(system).kill();
    await system.start("identity");
    expect(await signUpAll(system, emails)).toEqual(Array(16).fill(200));
    await system.kill("identity");
    expect(await isOutboxPublished(use)).toBe(false);
    await redisOf(system).restart();
    await system.start("identity");
    await expectOneMailEach(use, emails, system.smtp);
  });
});
