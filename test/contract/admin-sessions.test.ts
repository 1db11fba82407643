import { createSecretRing, hashToken, seal, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { actorsOf, byUser } from "../harness/audit.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  isSessionToken,
  password,
  readSession,
  type SessionView,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";

expectNoLeaks("file");

const done = { status: 200, body: { success: true }, cookies: [] };
const newPassword = "another horse battery";
const ring = createSecretRing([testSecret]);

describe.each(sessionStores("postgres"))("with sessions in $where", ({ where, stores }) => {
  const { system, rows, admin } = useSystem({ stores, config: serviceConfig });
  const list = async ({ user }: Pick<TestUser, "user">) => {
    const input = { userId: user.id };
    const answer = await callAdmin<{ sessions: SessionView[] }>(
      admin,
      "/list-user-sessions",
      input,
    );
    expect([answer.status, answer.cookies]).toEqual([200, []]);
    return answer.body.sessions;
  };
  const idsOf = async (person: TestUser) => (await list(person)).map(({ id }) => id);
  const ownId = async ({ browser }: Pick<TestUser, "browser">) =>
    (await readSession(browser))?.session.id;

  describe("list-user-sessions", () => {
    test("returns every session whole except for its token, newest first", async () => {
      const person = await signUp(system);
      const other = await trySignIn(system, person.email);
      const { session: own } = (await readSession(person.browser)) ?? {};
      expect(await idsOf(person)).toEqual([await ownId(other), own?.id]);
      const token = expect.any(String) as string;
      expect((await list(person))[1]).toStrictEqual({ ...own, token });
    });

    /** Attack: an admin opens a user's session with data from the list. */
    test("a handle signs nobody in, and ends only its own session", async () => {
      const person = await signUp(system);
      const other = await trySignIn(system, person.email);
      const shown = await list(person);
      for (const { token } of shown) {
        expect([person.token, other.body.token]).not.toContain(token);
        expect(await isSessionToken(system, token)).toBe(false);
        const cookie = `auth.session_token=${signValue(ring, token)}`;
        const answer = await createBrowserLike(system.url).get("/get-session", { cookie });
        expect(await answer.json()).toBeNull();
      }
      const [{ token: handle } = { token: "" }] = shown;
      expect(await callAdmin(admin, "/revoke-user-session", { sessionToken: handle })).toEqual(
        done,
      );
      expect(await readSession(other.browser)).toBeNull();
      expect(await idsOf(person)).toEqual([await ownId(person)]);
    });

    test("a changed handle, or one for another purpose, ends nothing", async () => {
      const person = await signUp(system);
      const [{ token: handle } = { token: "" }] = await list(person);
      const ofOtherUse = seal(ring, "session token", hashToken(person.token).toString("base64url"));
      for (const sessionToken of [`${handle}A`, handle.slice(0, -2), ofOtherUse])
        expect(await callAdmin(admin, "/revoke-user-session", { sessionToken })).toEqual(done);
      expect(await isSessionToken(system, person.token)).toBe(true);
    });

    test("the audit log names the admin who read the list", async () => {
      const person = await signUp(system);
      await list(person);
      expect(await actorsOf(rows, "session.listed", person.user.id)).toEqual([byUser(admin)]);
    });

    test("includes impersonations, which the user does not see", async () => {
      const person = await signUp(system);
      const staff = await signUpAs(system, "admin");
      const reason = "ticket 4711";
      await callAdmin(staff, "/impersonate-user", { userId: person.user.id, reason });
      const [impersonation, ...others] = await list(person);
      expect(impersonation).toMatchObject({
        impersonatedBy: staff.user.id,
        impersonationReason: reason,
      });
      expect(others).toEqual([expect.not.objectContaining({ impersonationReason: null })]);
      const own = (await (await person.browser.get("/list-sessions")).json()) as SessionView[];
      expect(own.map(({ token }) => token)).toEqual([person.token]);
    });

    test("does not include sessions of other users", async () => {
      const [ada, grace] = [await signUp(system), await signUp(system)];
      expect([await idsOf(ada), await idsOf(grace)]).toEqual([
        [await ownId(ada)],
        [await ownId(grace)],
      ]);
    });

    if (where !== "redis")
      test("includes an expired session while its row exists, but not a revoked one", async () => {
        const person = await signUp(system);
        const id = await ownId(person);
        const { body } = await trySignIn(system, person.email);
        await person.browser.post("/revoke-session", { token: body.token });
        await rows.query(
          "update identity.session set expires_at = now() - interval '1 second' where user_id = $1",
          person.user.id,
        );
        expect(await idsOf(person)).toEqual([id]);
      });
  });

  describe("revoke-user-session", () => {
    const revoke = (sessionToken: unknown, by: TestUser = admin) =>
      callAdmin(by, "/revoke-user-session", { sessionToken });

    test("refuses the session at once, and keeps the user's others", async () => {
      const person = await signUp(system);
      const other = await trySignIn(system, person.email);
      const { id } = (await readSession(other.browser))?.session ?? { id: "" };
      expect(await revoke(other.body.token)).toEqual(done);
      expect(await readSession(other.browser)).toBeNull();
      expect(await idsOf(person)).toEqual([await ownId(person)]);
      expect(await actorsOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });

    test("revokes an admin's own session like any other", async () => {
      const staff = await signUpAs(system, "admin");
      expect(await revoke(staff.token, staff)).toEqual(done);
      expect(await readSession(staff.browser)).toBeNull();
    });

    test.each(["", "unknown", "A".repeat(32), "a\0b", "é".repeat(5_000)])(
      "the answer for an unknown token is the same",
      async (token) => {
        expect(await revoke(token)).toEqual(done);
      },
    );

    test.each([[undefined], [null], [1], [["a"]], [{}]])("rejects %j as a token", async (token) => {
      expect(await revoke(token)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      });
    });

    test("revokes it once for 16 concurrent calls", async () => {
      const person = await signUp(system);
      const { id } = (await readSession(person.browser))?.session ?? { id: "" };
      const answers = await race(() => revoke(person.token));
      expect(answers).toEqual(answers.map(() => done));
      expect(await actorsOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });
  });

  describe("revoke-user-sessions", () => {
    test("refuses every session of the user at once, and no other", async () => {
      const [person, other] = [await signUp(system), await signUp(system)];
      const second = await trySignIn(system, person.email);
      const input = { userId: person.user.id };
      expect(await callAdmin(admin, "/revoke-user-sessions", input)).toEqual(done);
      expect([await readSession(person.browser), await readSession(second.browser)]).toEqual([
        null,
        null,
      ]);
      expect(await list(person)).toEqual([]);
      expect((await readSession(other.browser))?.session.token).toBe(other.token);
      expect(await actorsOf(rows, "session.revoked-all", person.user.id)).toEqual([byUser(admin)]);
    });

    test("lets an admin end all of their own sessions", async () => {
      const staff = await signUpAs(system, "admin");
      const input = { userId: staff.user.id };
      expect(await callAdmin(staff, "/revoke-user-sessions", input)).toEqual(done);
      expect(await readSession(staff.browser)).toBeNull();
    });

    test("writes no audit entry for an unknown user", async () => {
      expect(await callAdmin(admin, "/revoke-user-sessions", { userId: "who" })).toEqual(done);
      expect(await actorsOf(rows, "session.revoked-all", "who")).toEqual([]);
    });
  });

  describe("set-user-password", () => {
    const set = ({ user }: TestUser, text: unknown = newPassword) =>
      callAdmin(admin, "/set-user-password", { userId: user.id, newPassword: text });
    const status = { status: 200, body: { status: true }, cookies: [] };
    const unchanged = { status: 200, body: { status: true, changed: false }, cookies: [] };

    test("ends the old password and every session, and the new password signs in", async () => {
      const person = await signUp(system);
      const second = await trySignIn(system, person.email);
      expect(await set(person)).toEqual(status);
      expect([await readSession(person.browser), await readSession(second.browser)]).toEqual([
        null,
        null,
      ]);
      expect((await trySignIn(system, person.email)).status).toBe(401);
      expect((await trySignIn(system, person.email, { password: newPassword })).status).toBe(200);
      expect(await actorsOf(rows, "password.set", person.user.id)).toEqual([byUser(admin)]);
    });

    test.each([
      ["", "PASSWORD_TOO_SHORT", "Password too short"],
      ["1234567", "PASSWORD_TOO_SHORT", "Password too short"],
      ["x".repeat(129), "PASSWORD_TOO_LONG", "Password too long"],
    ])("rejects %j and changes nothing", async (text, code, message) => {
      const person = await signUp(system);
      expect(await set(person, text)).toEqual(errorResponse(400, code, message));
      expect((await readSession(person.browser))?.session.token).toBe(person.token);
      expect((await trySignIn(system, person.email)).status).toBe(200);
    });

    test.each([[undefined], [null], [1], [["a"]]])("rejects %j as a password", async (text) => {
      expect(
        await callAdmin(admin, "/set-user-password", { userId: "who", newPassword: text }),
      ).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    });

    test("gives no password to a user without one, and says so", async () => {
      const person = await signUp(system);
      await rows.query("delete from identity.account where user_id = $1", person.user.id);
      expect(await set(person)).toEqual(unchanged);
      expect((await trySignIn(system, person.email, { password: newPassword })).status).toBe(401);
      expect((await readSession(person.browser))?.session.token).toBe(person.token);
    });

    // An attacker who knows the old password must not keep a session that was being created while it was replaced.
    test("no concurrent sign-in with the old password keeps its session", async () => {
      const person = await signUp(system);
      const [answers] = await Promise.all([
        race(() => trySignIn(system, person.email, { password })),
        set(person),
      ]);
      const tokens = answers.flatMap(({ body }) => body.token ?? []);
      const open = await Promise.all(tokens.map((token) => isSessionToken(system, token)));
      expect(open).toEqual(tokens.map(() => false));
      expect(await list(person)).toEqual([]);
    });
  });
});
