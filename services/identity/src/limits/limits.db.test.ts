import { WireError } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { checkPassword } from "../access/check-password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { requestPasswordReset } from "../passwords/reset-password.ts";
import { sendVerificationEmail } from "../email-verification/request-verification.ts";
import { type CountedMail, sweepWindows } from "./limits.ts";

expectNoLeaks("file");

const callers = 16;
const caller = newCaller("any");
const config = identityConfig({ rateLimit: { enabled: true } });
const { max: mailsMax, window: mailsWindow } = config.linkMailLimit!;
const { max: triesMax } = config.emailAndPassword.passwordTries;

let hashesCount = 0;
/** Counts hashes instead of computing them. */
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (stored: string | null | undefined, password: string) => {
    hashesCount += 1;
    return stored === `hash of ${password}`;
  },
  upgrade: async () => undefined,
  isUpgrade: () => false,
};

const { db, connect } = await openIdentityDatabase();
const other = connect();

const clock = createTestClock();
const createDeps = (of = db, own = config) => ({
  ...createTestDeps({ config: own, db: of, clock: clock.now }),
  passwords,
});
type TestDeps = ReturnType<typeof createDeps>;

/** Runs sixteen concurrent calls, spread over two replicas. */
const race = <T>(work: (deps: TestDeps, index: number) => Promise<T>): Promise<T[]> => {
  const replicas = [createDeps(), createDeps(other)] as const;
  return Promise.all(
    Array.from({ length: callers }, (_, index) => work(replicas[index % 2 === 0 ? 0 : 1], index)),
  );
};
const isRefused = (error: unknown) => error instanceof WireError && error.status === 429;

const register = async () => {
  const user = await seedUser(db);
  return user;
};
const age = (seconds: number) =>
  sql`update identity.sliding_window set expires_at = expires_at - make_interval(secs => ${seconds}),
    used_at = array(select u - make_interval(secs => ${seconds}) from unnest(used_at) u order by u)`.execute(
    db,
  );

describe("mails with a link", () => {
  let count = 0;
  const newEmail = () => `mailbox-${(count += 1)}@example.com`;
  const countMail = (email: string, own: Partial<CountedMail> = {}, deps = createDeps()) =>
    deps.limits.countLinkMail(deps.db, { email, countsFor: "users", beyond: "drop", ...own });

  test("are sent exactly up to the limit by 16 concurrent requests over two paths and two replicas", async () => {
    const { id, email } = await register();
    const input = { caller, params: undefined, query: undefined, session: undefined };
    const answers = await race((deps, index) =>
      index < callers / 2
        ? requestPasswordReset(deps, { ...input, body: { email } })
        : sendVerificationEmail(deps, { ...input, body: { email } }),
    );
    expect(answers).toHaveLength(callers);
    const mails = await db
      .selectFrom("outbox")
      .select("name")
      .where("name", "in", ["password-reset.requested", "verification.requested"])
      .execute();
    expect(mails).toHaveLength(mailsMax);
    const refused = await db
      .selectFrom("audit")
      .select("subjectId")
      .where("outcome", "=", "refused")
      .execute();
    expect(refused).toHaveLength(callers - mailsMax);
    expect(refused.some(({ subjectId }) => subjectId === id)).toBe(true);
  });

  test("are possible again when a mail leaves the window, and not before", async () => {
    const email = newEmail();
    await countMail(email);
    await age(mailsWindow / 2);
    for (let mail = 1; mail < mailsMax; mail += 1) expect(await countMail(email)).toBe(true);
    expect(await countMail(email)).toBe(false);
    await age(mailsWindow / 2 + 1);
    expect([await countMail(email), await countMail(email)]).toEqual([true, false]);
  });

  test("are refused with the time of the next possible mail", async () => {
    const email = newEmail();
    for (let mail = 0; mail < mailsMax; mail += 1) await countMail(email);
    await age(100);
    const refusal = await countMail(email, { beyond: "refuse" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: mailsWindow - 100 });
  });

  test("are not counted if they do not commit", async () => {
    const email = newEmail();
    const { limits } = createDeps();
    const mail = { email, countsFor: "users", beyond: "refuse" } as const;
    for (let failure = 0; failure <= mailsMax; failure += 1)
      await expect(
        db.transaction().execute(async (trx) => {
          await limits.countLinkMail(trx, mail);
          throw new Error("rolled back");
        }),
      ).rejects.toThrow("rolled back");
  });

  test("have separate counts for admins and for requests that mail no user", async () => {
    const email = newEmail();
    for (let mail = 0; mail <= mailsMax; mail += 1) await countMail(email);
    expect(await countMail(email, { countsFor: "admins" })).toBe(true);
    const another = newEmail();
    for (let mail = 0; mail <= mailsMax; mail += 1)
      await countMail(another, { countsFor: "nobody" });
    expect(await countMail(another)).toBe(true);
  });

  /** Attack: a stranger requests resets until the user gets no code of the second factor, and cannot change the address. */
  test("have a separate count for the user who requests them in a session or after a first factor", async () => {
    const email = newEmail();
    const { limits } = createDeps();
    const own = { email, countsFor: "holders", beyond: "refuse" } as const;
    for (let mail = 0; mail < 16; mail += 1) {
      await countMail(email);
      await limits.countSignInMail(db, { email, countsFor: "users", beyond: "drop" });
    }
    expect(await limits.countLinkMail(db, own)).toBe(true);
    expect(await limits.countSignInMail(db, own)).toBe(true);
    for (let mail = 1; mail < mailsMax; mail += 1) await limits.countLinkMail(db, own);
    await expect(limits.countLinkMail(db, own)).rejects.toMatchObject({ status: 429 });
  });

  test("are not counted without rate limits", async () => {
    const email = newEmail();
    const deps = createDeps(db, identityConfig({ rateLimit: { enabled: false } }));
    for (let mail = 0; mail <= mailsMax; mail += 1)
      expect(await countMail(email, {}, deps)).toBe(true);
  });

  test("are counted without storing addresses, and passed windows are deleted", async () => {
    const email = newEmail();
    await countMail(email);
    const rows = await sql<{ text: string }>`
      select w::text as text from identity.sliding_window w`.execute(db);
    expect(rows.rows.length).toBeGreaterThan(0);
    for (const { text } of rows.rows) expect(text).not.toContain("mailbox");
    await age(mailsWindow * 10);
    await countMail(newEmail());
    expect(await sweepWindows({ db })).toBe(rows.rows.length);
    expect(await sweepWindows({ db })).toBe(0);
  });
});

describe("wrong passwords in a session", () => {
  const password = "correct horse battery";
  const arrange = async () => {
    const deps = createDeps();
    const user = await register();
    const replace = () =>
      replacePassword(deps, {
        userId: user.id,
        passwordHash: `hash of ${password}`,
        ends: "none",
        action: "password.set",
        actor: { kind: "system" },
        caller,
      });
    await replace();
    const created = await seedSession(deps, user, { caller, remember: true });
    const call = { caller, session: { session: created.session, user: deps.showUser(user) } };
    return {
      user,
      replace,
      give: (given: string, on: TestDeps = deps) =>
        checkPassword(on, call, given).then(
          () => "right",
          (error: unknown) => (isRefused(error) ? "refused" : "wrong"),
        ),
    };
  };

  test("are hashed up to the limit by 16 concurrent calls over two replicas, and audited once", async () => {
    const { user, give } = await arrange();
    const before = hashesCount;
    const outcomes = await race((deps, index) => give(`guess ${index}`, deps));
    expect(hashesCount - before).toBe(triesMax);
    expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(triesMax);
    expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(callers - triesMax);
    expect(await give(password)).toBe("refused");
    const audited = await db
      .selectFrom("audit")
      .select("subjectId")
      .where("action", "=", "password.tries-used-up")
      .execute();
    expect(audited).toEqual([{ subjectId: user.id }]);
  });

  test("are reset by a right password", async () => {
    const { give } = await arrange();
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 1; guess < triesMax; guess += 1) expect(await give("guess")).toBe("wrong");
      expect(await give(password)).toBe("right");
    }
  });

  test("are reset by a new password, so that a thief cannot lock the owner out", async () => {
    const { give, replace } = await arrange();
    for (let guess = 0; guess < triesMax; guess += 1) await give("guess");
    expect(await give(password)).toBe("refused");
    await replace();
    expect(await give(password)).toBe("right");
  });

  test("do not affect other users", async () => {
    const [thief, stranger] = [await arrange(), await arrange()];
    for (let guess = 0; guess <= triesMax; guess += 1) await thief.give("guess");
    expect(await stranger.give(password)).toBe("right");
  });
});
