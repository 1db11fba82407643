import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { actorsOf, byUser } from "../harness/audit.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  isSessionToken,
  readSession,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";

expectNoLeaks("file");

const bannedText =
  "You have been banned from this application. Please contact support if you believe this is an error.";
const banned = errorResponse(403, "BANNED_USER", bannedText);
const rounds = 4;
const dayMs = 86_400_000;

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, rows, admin } = useSystem({ stores, config: serviceConfig });
  const callAbout = (path: string, { user }: TestUser, own: object = {}) =>
    callAdmin<{ user: UserView }>(admin, path, { userId: user.id, ...own });
  const ban = (person: TestUser, own: object = {}) => callAbout("/ban-user", person, own);
  const unban = (person: TestUser) => callAbout("/unban-user", person);
  const rowOf = async ({ user }: TestUser) =>
    (
      await rows.query(
        "select banned, ban_reason, ban_expires from identity.user where id = $1",
        user.id,
      )
    )[0];
  /** Ends a ban ahead of time. */
  const expire = ({ user }: TestUser) =>
    rows.query(
      "update identity.user set ban_expires = $2 where id = $1",
      user.id,
      new Date(Date.now() - 1000),
    );
  const sessionsOf = async ({ user }: TestUser) => {
    const input = { userId: user.id };
    const { body } = await callAdmin<{ sessions: unknown[] }>(admin, "/list-user-sessions", input);
    return body.sessions;
  };

  describe("ban-user", () => {
    test("returns the whole user and bans permanently by default", async () => {
      const person = await signUp(system);
      const before = (await readSession(person.browser))?.user;
      const { status, body, cookies } = await ban(person);
      expect([status, cookies]).toEqual([200, []]);
      expect(body.user).toStrictEqual({
        ...before,
        updatedAt: expect.any(String),
        banned: true,
        banReason: "No reason",
        banExpires: null,
      });
      expect(await actorsOf(rows, "user.banned", person.user.id)).toEqual([byUser(admin)]);
    });

    test("ends every session of the user at once, and no other", async () => {
      const [person, other] = [await signUp(system), await signUp(system)];
      const second = await trySignIn(system, person.email);
      await ban(person);
      expect([await readSession(person.browser), await readSession(second.browser)]).toEqual([
        null,
        null,
      ]);
      expect(await isSessionToken(system, person.token)).toBe(false);
      expect(await readResponse(await second.browser.get("/list-sessions"))).toEqual(
        errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
      );
      expect(await sessionsOf(person)).toEqual([]);
      expect((await readSession(other.browser))?.session.token).toBe(other.token);
    });

    test("reveals the ban only after the right password, and never its reason", async () => {
      const person = await signUp(system);
      await ban(person, { banReason: "spam" });
      const { browser: _, ...right } = await trySignIn(system, person.email);
      expect(right).toEqual(banned);
      const { browser: __, ...wrong } = await trySignIn(system, person.email, {
        password: "wrong!!!",
      });
      expect(wrong).toEqual(
        errorResponse(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password"),
      );
    });

    test("accepts a reason and an end", async () => {
      const person = await signUp(system);
      const start = Date.now();
      const { user } = (await ban(person, { banReason: "spam", banExpiresIn: 3600 })).body;
      expect(user.banReason).toBe("spam");
      const untilExpiry = Date.parse(user.banExpires ?? "") - start;
      expect(untilExpiry).toBeGreaterThanOrEqual(3_600_000);
      expect(untilExpiry).toBeLessThan(3_660_000);
      expect((await trySignIn(system, person.email)).status).toBe(403);
    });

    test.each([{ banExpiresIn: 0 }, {}])(
      "%j bans permanently, and removes the end of an earlier ban",
      async (own) => {
        const person = await signUp(system);
        await ban(person, { banExpiresIn: 1 });
        expect((await ban(person, own)).body.user.banExpires).toBeNull();
      },
    );

    test.each([
      [{ banExpiresIn: -1 }],
      [{ banExpiresIn: null }],
      [{ banExpiresIn: "60" }],
      [{ banExpiresIn: 1e300 }],
      [{ banReason: null }],
      [{ banReason: 1 }],
      [{ banReason: "a\0b" }],
    ])("rejects %j and bans nobody", async (own) => {
      const person = await signUp(system);
      expect(await ban(person, own)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      });
      expect((await readSession(person.browser))?.user.banned).toBe(false);
    });

    test("rejects banning oneself", async () => {
      expect(await ban(admin)).toEqual(
        errorResponse(400, "YOU_CANNOT_BAN_YOURSELF", "You cannot ban yourself"),
      );
      expect((await readSession(admin.browser))?.user.banned).toBe(false);
    });

    test("revokes a banned admin's permissions", async () => {
      const other = await signUpAs(system, "admin");
      await ban(other);
      const input = { userId: admin.user.id };
      expect((await callAdmin(other, "/ban-user", input)).status).toBe(401);
    });

    // Attack: a user outruns a ban by signing in again and again.
    test("no concurrent sign-in keeps a session", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const person = await signUp(system);
        const [answers] = await Promise.all([
          race(() => trySignIn(system, person.email)),
          ban(person),
        ]);
        const tokens = answers.flatMap(({ body }) => body.token ?? []);
        const open = await Promise.all(tokens.map((token) => isSessionToken(system, token)));
        expect(open).toEqual(tokens.map(() => false));
        expect(await sessionsOf(person)).toEqual([]);
        // A sign-in that fails at the creation of its session returns less detail.
        for (const { status, body } of answers.filter((answer) => answer.status !== 200))
          expect(["403 BANNED_USER", "401 FAILED_TO_CREATE_SESSION"]).toContain(
            `${status} ${body.code}`,
          );
      }
    });

    test("succeeds 16 times concurrently, and rejects a sign-in afterwards", async () => {
      const person = await signUp(system);
      const answers = await race((index) => ban(person, { banExpiresIn: 60 + index }));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.map(({ body }) => body.user.banned)).toEqual(answers.map(() => true));
      expect((await trySignIn(system, person.email)).status).toBe(403);
    });
  });

  describe("a ban that has expired", () => {
    test("is lifted by the next sign-in", async () => {
      const person = await signUp(system);
      await ban(person, { banReason: "spam", banExpiresIn: 3600 });
      await expire(person);
      const { browser, status } = await trySignIn(system, person.email);
      expect(status).toBe(200);
      const none = { banned: false, banReason: null, banExpires: null };
      expect((await readSession(browser))?.user).toMatchObject(none);
      expect(await rowOf(person)).toEqual({ banned: false, ban_reason: null, ban_expires: null });
      expect(await actorsOf(rows, "user.ban-expired", person.user.id)).toEqual([
        { actor_kind: "system", actor_id: null },
      ]);
    });

    test("is lifted once by 16 concurrent sign-ins, which all succeed", async () => {
      const person = await signUp(system);
      await ban(person, { banExpiresIn: 3600 });
      await expire(person);
      const answers = await race(() => trySignIn(system, person.email));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await actorsOf(rows, "user.ban-expired", person.user.id)).toHaveLength(1);
    });

    // Lifting the expired ban must not lift a new one.
    test("does not lift a new ban that is set at the same time", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const person = await signUp(system);
        await ban(person, { banExpiresIn: 3600 });
        await expire(person);
        const [answers] = await Promise.all([
          race(() => trySignIn(system, person.email)),
          ban(person),
        ]);
        expect(await rowOf(person)).toEqual({
          banned: true,
          ban_reason: "No reason",
          ban_expires: null,
        });
        const tokens = answers.flatMap(({ body }) => body.token ?? []);
        const open = await Promise.all(tokens.map((token) => isSessionToken(system, token)));
        expect(open).toEqual(tokens.map(() => false));
      }
    });
  });

  describe("unban-user", () => {
    test("returns the user without a ban, who can sign in again", async () => {
      const person = await signUp(system);
      await ban(person, { banReason: "spam", banExpiresIn: 3600 });
      const { status, body } = await unban(person);
      expect(status).toBe(200);
      expect(body.user).toMatchObject({ banned: false, banReason: null, banExpires: null });
      expect((await trySignIn(system, person.email)).status).toBe(200);
      expect(await actorsOf(rows, "user.unbanned", person.user.id)).toEqual([byUser(admin)]);
    });

    test("does not restore earlier sessions", async () => {
      const person = await signUp(system);
      await ban(person);
      await unban(person);
      expect(await isSessionToken(system, person.token)).toBe(false);
    });

    test("keeps the sessions of a user without a ban", async () => {
      const person = await signUp(system);
      expect((await unban(person)).status).toBe(200);
      expect((await readSession(person.browser))?.session.token).toBe(person.token);
    });
  });

  test("users cannot lift a ban, set one or set it at sign-up", async () => {
    const own = { role: "admin", banned: true, banReason: "x", banExpires: new Date().toJSON() };
    const person = await signUp(system);
    await person.browser.post("/update-user", { name: "Grace", ...own });
    const expected = { role: "user", banned: false, banReason: null, banExpires: null };
    expect((await readSession(person.browser))?.user).toMatchObject({ name: "Grace", ...expected });
    const browser = createBrowserLike(system.url);
    const body = { name: "Ada", email: `own-${person.email}`, password: "correct horse", ...own };
    expect((await browser.post("/sign-up/email", body)).status).toBe(200);
    expect((await readSession(browser))?.user).toMatchObject(expected);
  });

  if (stores === "postgres")
    test("a ban that is written directly to the row ends the sessions at once", async () => {
      const person = await signUp(system);
      await rows.query("update identity.user set banned = true where id = $1", person.user.id);
      expect(await readSession(person.browser)).toBeNull();
    });
});

describe("with own defaults", () => {
  const bannedUserMessage = "Go away, please.";
  const options = {
    defaultBanReason: "system rules",
    defaultBanExpiresIn: dayMs / 1000,
    bannedUserMessage,
  };
  const { system, admin } = useSystem({
    stores: "postgres",
    config: { ...serviceConfig, admin: options },
  });

  test("uses the configured reason, end and message unless a ban sets its own", async () => {
    const person = await signUp(system);
    const ban = async (own: object) => {
      const input = { userId: person.user.id, ...own };
      return (await callAdmin<{ user: UserView }>(admin, "/ban-user", input)).body.user;
    };
    const secondsOf = ({ banExpires, updatedAt }: UserView) =>
      (Date.parse(banExpires ?? "") - Date.parse(updatedAt)) / 1000;
    const plain = await ban({ banReason: "", banExpiresIn: 0 });
    expect(plain.banReason).toBe("system rules");
    expect(Math.round(secondsOf(plain) / 60)).toBe(24 * 60);
    const own = await ban({ banReason: "spam", banExpiresIn: 60 });
    expect([own.banReason, Math.round(secondsOf(own) / 60)]).toEqual(["spam", 1]);
    const { browser: _, ...answer } = await trySignIn(system, person.email);
    expect(answer).toEqual(errorResponse(403, "BANNED_USER", bannedUserMessage));
  });
});
