import { createTestRedis, startSmtpCatcher, until } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { BrowserLike } from "../../harness/browser-like.ts";
import type { ProcessSystem } from "../../harness/start-system.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "./scripted-smtp.ts";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { openPool } from "../../harness/rows.ts";
import { signUp, signUpAs } from "../../harness/users.ts";
import { useSystem } from "../../harness/use-system.ts";
import { serviceConfig } from "../../harness/operations.ts";

/** Longer than the lease of a mail, after which another process claims it. */
const recoveryMs = 180_000;
const refused = "550 No such user";

interface Mail {
  id: string;
  state: string;
  attempts: number;
  lastError: string | null;
}

/** Lets services commit to Postgres but not publish to the bus. Returns the release function. */
const holdBus = async (system: ProcessSystem, pool: Pool): Promise<() => Promise<void>> => {
  if (system.redis) {
    const { client, close } = await createTestRedis(system.redis.url);
    await client.call("CLIENT", "PAUSE", "600000", "WRITE");
    return async () => {
      await client.call("CLIENT", "UNPAUSE");
      await close();
    };
  }
  const client = await pool.connect();
  await client.query("begin");
  await client.query("lock table bus.job in share mode");
  return async () => {
    await client.query("rollback");
    client.release();
  };
};

describe.each(matrix("postgres", "own redis"))("with the bus on %s", (stores) => {
  let pool: Pool;
  let failing: ScriptedSmtp;
  /** The answer of the failing server to a mail. Undefined: none. */
  let answer: string | undefined = refused;
  let admin: BrowserLike;

  const { system } = useSystem(async () => {
    failing = await startScriptedSmtp({ onMail: () => answer });
    return {
      topology: "processes",
      stores,
      config: { ...serviceConfig, rateLimit: { enabled: false } },
      environment: { SMTP_URL: failing.url },
    };
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
    ({ browser: admin } = await signUpAs(system, "admin"));
  });
  afterAll(async () => {
    await pool?.end();
    await failing?.stop();
  });
  /** Every test begins with a mailer whose server rejects every mail. */
  afterEach(async () => {
    answer = refused;
    failing.release(refused);
    await system.kill("mailer");
    await system.start("mailer");
  });

  const mailTo = async (recipient: string): Promise<Mail | undefined> => {
    const listed = await admin.get(`/admin/deliveries?recipient=${recipient}`);
    return ((await listed.json()) as { deliveries: Mail[] }).deliveries[0];
  };
  const untilMail = (email: string, state: string) =>
    until(
      async () => {
        const mail = await mailTo(email);
        return mail?.state === state ? mail : undefined;
      },
      { timeoutMs: recoveryMs, describe: `a mail to ${email} that is ${state}` },
    );
  const failMail = async (email: string): Promise<Mail> => {
    const { browser } = await signUp(system, { email });
    expect((await browser.post("/request-password-reset", { email })).status).toBe(200);
    return untilMail(email, "failed");
  };
  const retry = ({ id }: Mail) => admin.post(`/admin/deliveries/${id}/retry`);
  /** Retries 16 times concurrently. One call succeeds. */
  const retryByAll = async (mail: Mail) => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => retry(mail)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(15).fill(400),
    ]);
  };
  const startWithGoodServer = () => system.start("mailer", { SMTP_URL: system.smtp.url });
  const caughtFor = (email: string) => system.smtp.mails.filter(({ to }) => to.includes(email));

  matrixTest(
    "a mailer killed while it sends a mail that 16 admins retried sends it once after its restart",
    async () => {
      const email = "sending@example.com";
      const mail = await failMail(email);
      answer = undefined;
      const before = failing.seen.length;
      await retryByAll(mail);
      await until(() => failing.seen.slice(before).includes(email));
      await system.kill("mailer");
      expect(failing.seen.slice(before)).toEqual([email]);
      // Simulates the two minutes for which the dead process still holds the lease.
      await pool.query("update mailer.delivery set lease_until = now() where recipient = $1", [
        email,
      ]);
      await startWithGoodServer();
      expect(await untilMail(email, "sent")).toMatchObject({ id: mail.id, attempts: 3 });
      expect(caughtFor(email)).toHaveLength(1);
      // The history keeps the attempt that was killed before its outcome was recorded.
      const read = await admin.get(`/admin/deliveries/${mail.id}/attempts`);
      const { attempts } = (await read.json()) as { attempts: object[] };
      expect(attempts).toMatchObject([
        { number: 3, outcome: "sent", reason: null },
        { number: 2, outcome: null, endedAt: null, reason: null },
        { number: 1, outcome: "failed", reason: expect.stringContaining("550") as string },
      ]);
    },
  );

  test("a mail that 16 admins retried while the bus is unavailable is sent once", async () => {
    const email = "committed@example.com";
    const mail = await failMail(email);
    await system.kill("mailer");
    await startWithGoodServer();
    const letGo = await holdBus(system, pool);
    try {
      await retryByAll(mail);
      expect(await untilMail(email, "sent")).toMatchObject({ id: mail.id, attempts: 2 });
    } finally {
      await letGo();
    }
    expect(caughtFor(email)).toHaveLength(1);
  });

  matrixTest(
    "a mail that is retried while the SMTP server is down waits for it, and is sent once",
    async () => {
      const email = "away@example.com";
      const mail = await failMail(email);
      const away = await startSmtpCatcher({});
      await system.kill("mailer");
      await system.start("mailer", { SMTP_URL: away.url });
      await away.stop();
      expect((await retry(mail)).status).toBe(200);
      // The first attempt may also find a connection that the server closes.
      await until(
        async () => {
          const reason = (await mailTo(email))?.lastError;
          return typeof reason === "string" && reason !== mail.lastError;
        },
        { timeoutMs: 120_000, describe: "a failed attempt" },
      );
      const back = await startSmtpCatcher({ port: away.port });
      try {
        await untilMail(email, "sent");
        expect(back.mails.map(({ to }) => to)).toEqual([[email]]);
      } finally {
        await back.stop();
      }
    },
  );

  matrixTest("while the mailer is down, admins get 503 with Retry-After", async () => {
    await system.kill("mailer");
    const listed = await admin.get("/admin/deliveries");
    expect(listed.status).toBe(503);
    expect(Number(listed.headers.get("retry-after"))).toBeGreaterThan(0);
    await signUp(system, { email: "unaware@example.com" });
  });
});
