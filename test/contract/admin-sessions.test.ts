import { createSecretRing, hashToken, seal, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack, testSecret } from "../stack.ts";
import {
  adminConfig,
  askAs,
  auditOf,
  byUser,
  everywhere,
  opens,
  race,
  type ShownSession,
  signUpAs,
  trySignIn,
  whoIs,
} from "./admin-people.ts";
import {
  openRows,
  password,
  refusal,
  type Rows,
  type SignedUp,
  signUp,
} from "./identity-people.ts";

expectNoLeaks("file");

const done = { status: 200, body: { success: true }, cookies: [] };
const newPassword = "another horse battery";
const ring = createSecretRing([testSecret]);

describe.each(everywhere)("with sessions in $where", ({ where, stores, session }) => {
  let stack: Stack;
  let rows: Rows;
  let admin: SignedUp;
  beforeAll(async () => {
    stack = await startStack({ stores, config: { ...adminConfig, session } });
    rows = openRows(stack);
    admin = await signUpAs(stack, "admin");
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  const list = async ({ user }: Pick<SignedUp, "user">) => {
    const asked = { userId: user.id };
    const answer = await askAs<{ sessions: ShownSession[] }>(admin, "/list-user-sessions", asked);
    expect([answer.status, answer.cookies]).toEqual([200, []]);
    return answer.body.sessions;
  };
  const idsOf = async (person: SignedUp) => (await list(person)).map(({ id }) => id);
  const ownId = async ({ browser }: Pick<SignedUp, "browser">) =>
    (await whoIs(browser))?.session.id;

  describe("list-user-sessions", () => {
    test("returns every session whole except for its token, newest first", async () => {
      const person = await signUp(stack);
      const other = await trySignIn(stack, person.email);
      const { session: own } = (await whoIs(person.browser)) ?? {};
      expect(await idsOf(person)).toEqual([await ownId(other), own?.id]);
      const token = expect.any(String) as string;
      expect((await list(person))[1]).toStrictEqual({ ...own, token });
    });

    /** Attack: an admin opens a user's session with data from the list. */
    test("a handle signs nobody in, and ends only its own session", async () => {
      const person = await signUp(stack);
      const other = await trySignIn(stack, person.email);
      const shown = await list(person);
      for (const { token } of shown) {
        expect([person.token, other.body.token]).not.toContain(token);
        expect(await opens(stack, token)).toBe(false);
        const cookie = `auth.session_token=${signValue(ring, token)}`;
        const answer = await createBrowserLike(stack.url).get("/get-session", { cookie });
        expect(await answer.json()).toBeNull();
      }
      const [{ token: handle } = { token: "" }] = shown;
      expect(await askAs(admin, "/revoke-user-session", { sessionToken: handle })).toEqual(done);
      expect(await whoIs(other.browser)).toBeNull();
      expect(await idsOf(person)).toEqual([await ownId(person)]);
    });

    test("a changed handle, or one for another purpose, ends nothing", async () => {
      const person = await signUp(stack);
      const [{ token: handle } = { token: "" }] = await list(person);
      const ofOtherUse = seal(ring, "session token", hashToken(person.token).toString("base64url"));
      for (const sessionToken of [`${handle}A`, handle.slice(0, -2), ofOtherUse])
        expect(await askAs(admin, "/revoke-user-session", { sessionToken })).toEqual(done);
      expect(await opens(stack, person.token)).toBe(true);
    });

    test("the audit log names the admin who read the list", async () => {
      const person = await signUp(stack);
      await list(person);
      expect(await auditOf(rows, "session.listed", person.user.id)).toEqual([byUser(admin)]);
    });

    test("includes impersonations, which the user does not see", async () => {
      const person = await signUp(stack);
      const staff = await signUpAs(stack, "admin");
      await askAs(staff, "/impersonate-user", { userId: person.user.id });
      expect((await list(person)).map(({ impersonatedBy }) => impersonatedBy)).toEqual([
        staff.user.id,
        null,
      ]);
      const own = (await (await person.browser.get("/list-sessions")).json()) as ShownSession[];
      expect(own.map(({ token }) => token)).toEqual([person.token]);
    });

    test("does not include sessions of other users", async () => {
      const [ada, grace] = [await signUp(stack), await signUp(stack)];
      expect([await idsOf(ada), await idsOf(grace)]).toEqual([
        [await ownId(ada)],
        [await ownId(grace)],
      ]);
    });

    if (where !== "redis")
      test("includes an expired session while its row exists, but not a revoked one", async () => {
        const person = await signUp(stack);
        const id = await ownId(person);
        const { body } = await trySignIn(stack, person.email);
        await person.browser.post("/revoke-session", { token: body.token });
        await rows.ask(
          "update identity.session set expires_at = now() - interval '1 second' where user_id = $1",
          person.user.id,
        );
        expect(await idsOf(person)).toEqual([id]);
      });
  });

  describe("revoke-user-session", () => {
    const revoke = (sessionToken: unknown, by: SignedUp = admin) =>
      askAs(by, "/revoke-user-session", { sessionToken });

    test("refuses the session at once, and keeps the user's others", async () => {
      const person = await signUp(stack);
      const other = await trySignIn(stack, person.email);
      const { id } = (await whoIs(other.browser))?.session ?? { id: "" };
      expect(await revoke(other.body.token)).toEqual(done);
      expect(await whoIs(other.browser)).toBeNull();
      expect(await idsOf(person)).toEqual([await ownId(person)]);
      expect(await auditOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });

    test("revokes an admin's own session like any other", async () => {
      const staff = await signUpAs(stack, "admin");
      expect(await revoke(staff.token, staff)).toEqual(done);
      expect(await whoIs(staff.browser)).toBeNull();
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
      const person = await signUp(stack);
      const { id } = (await whoIs(person.browser))?.session ?? { id: "" };
      const answers = await race(() => revoke(person.token));
      expect(answers).toEqual(answers.map(() => done));
      expect(await auditOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });
  });

  describe("revoke-user-sessions", () => {
    test("refuses every session of the user at once, and no other", async () => {
      const [person, other] = [await signUp(stack), await signUp(stack)];
      const second = await trySignIn(stack, person.email);
      const asked = { userId: person.user.id };
      expect(await askAs(admin, "/revoke-user-sessions", asked)).toEqual(done);
      expect([await whoIs(person.browser), await whoIs(second.browser)]).toEqual([null, null]);
      expect(await list(person)).toEqual([]);
      expect((await whoIs(other.browser))?.session.token).toBe(other.token);
      expect(await auditOf(rows, "session.revoked-all", person.user.id)).toEqual([byUser(admin)]);
    });

    test("lets an admin end all of their own sessions", async () => {
      const staff = await signUpAs(stack, "admin");
      const asked = { userId: staff.user.id };
      expect(await askAs(staff, "/revoke-user-sessions", asked)).toEqual(done);
      expect(await whoIs(staff.browser)).toBeNull();
    });

    test("writes no audit entry for an unknown user", async () => {
      expect(await askAs(admin, "/revoke-user-sessions", { userId: "who" })).toEqual(done);
      expect(await auditOf(rows, "session.revoked-all", "who")).toEqual([]);
    });
  });

  describe("set-user-password", () => {
    const set = ({ user }: SignedUp, text: unknown = newPassword) =>
      askAs(admin, "/set-user-password", { userId: user.id, newPassword: text });
    const status = { status: 200, body: { status: true }, cookies: [] };

    test("ends the old password and every session, and the new password signs in", async () => {
      const person = await signUp(stack);
      const second = await trySignIn(stack, person.email);
      expect(await set(person)).toEqual(status);
      expect([await whoIs(person.browser), await whoIs(second.browser)]).toEqual([null, null]);
      expect((await trySignIn(stack, person.email)).status).toBe(401);
      expect((await trySignIn(stack, person.email, { password: newPassword })).status).toBe(200);
      expect(await auditOf(rows, "password.set", person.user.id)).toEqual([byUser(admin)]);
    });

    test.each([
      ["", "PASSWORD_TOO_SHORT", "Password too short"],
      ["1234567", "PASSWORD_TOO_SHORT", "Password too short"],
      ["x".repeat(129), "PASSWORD_TOO_LONG", "Password too long"],
    ])("rejects %j and changes nothing", async (text, code, message) => {
      const person = await signUp(stack);
      expect(await set(person, text)).toEqual(refusal(400, code, message));
      expect((await whoIs(person.browser))?.session.token).toBe(person.token);
      expect((await trySignIn(stack, person.email)).status).toBe(200);
    });

    test.each([[undefined], [null], [1], [["a"]]])("rejects %j as a password", async (text) => {
      expect(
        await askAs(admin, "/set-user-password", { userId: "who", newPassword: text }),
      ).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    });

    test("gives no password to a user without one", async () => {
      const person = await signUp(stack);
      await rows.ask("delete from identity.account where user_id = $1", person.user.id);
      expect(await set(person)).toEqual(status);
      expect((await trySignIn(stack, person.email, { password: newPassword })).status).toBe(401);
      expect((await whoIs(person.browser))?.session.token).toBe(person.token);
    });

    // An attacker who knows the old password must not keep a session that was being created while it was replaced.
    test("no concurrent sign-in with the old password keeps its session", async () => {
      const person = await signUp(stack);
      const [answers] = await Promise.all([
        race(() => trySignIn(stack, person.email, { password })),
        set(person),
      ]);
      const tokens = answers.flatMap(({ body }) => body.token ?? []);
      const open = await Promise.all(tokens.map((token) => opens(stack, token)));
      expect(open).toEqual(tokens.map(() => false));
      expect(await list(person)).toEqual([]);
    });
  });
});
