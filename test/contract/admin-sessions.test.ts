import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
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
  const tokensOf = async (person: SignedUp) => (await list(person)).map(({ token }) => token);

  describe("list-user-sessions", () => {
    test("every session is shown whole, the newest first", async () => {
      const person = await signUp(stack);
      const { body } = await trySignIn(stack, person.email);
      const own = await whoIs(person.browser);
      expect(await tokensOf(person)).toEqual([body.token, person.token]);
      expect((await list(person))[1]).toStrictEqual(own?.session);
    });

    test("impersonations are listed, which their user does not see", async () => {
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

    test("sessions of others are not listed", async () => {
      const [ada, grace] = [await signUp(stack), await signUp(stack)];
      expect([await tokensOf(ada), await tokensOf(grace)]).toEqual([[ada.token], [grace.token]]);
    });

    if (where !== "redis")
      test("one that has expired is listed while its row is kept, a revoked one is not", async () => {
        const person = await signUp(stack);
        const { body } = await trySignIn(stack, person.email);
        await person.browser.post("/revoke-session", { token: body.token });
        await rows.ask(
          "update identity.session set expires_at = now() - interval '1 second' where user_id = $1",
          person.user.id,
        );
        expect(await tokensOf(person)).toEqual([person.token]);
      });
  });

  describe("revoke-user-session", () => {
    const revoke = (sessionToken: unknown, by: SignedUp = admin) =>
      askAs(by, "/revoke-user-session", { sessionToken });

    test("a session is refused at once, and the user's others go on", async () => {
      const person = await signUp(stack);
      const other = await trySignIn(stack, person.email);
      const { id } = (await whoIs(other.browser))?.session ?? { id: "" };
      expect(await revoke(other.body.token)).toEqual(done);
      expect(await whoIs(other.browser)).toBeNull();
      expect(await tokensOf(person)).toEqual([person.token]);
      expect(await auditOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });

    test("an admin's own is revoked like any other", async () => {
      const staff = await signUpAs(stack, "admin");
      expect(await revoke(staff.token, staff)).toEqual(done);
      expect(await whoIs(staff.browser)).toBeNull();
    });

    test.each(["", "unknown", "A".repeat(32), "a\0b", "é".repeat(5_000)])(
      "a token that opens nothing is answered alike",
      async (token) => {
        expect(await revoke(token)).toEqual(done);
      },
    );

    test.each([[undefined], [null], [1], [["a"]], [{}]])("%j is no token", async (token) => {
      expect(await revoke(token)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      });
    });

    test("16 at once revoke it once", async () => {
      const person = await signUp(stack);
      const { id } = (await whoIs(person.browser))?.session ?? { id: "" };
      const answers = await race(() => revoke(person.token));
      expect(answers).toEqual(answers.map(() => done));
      expect(await auditOf(rows, "session.revoked", id)).toEqual([byUser(admin)]);
    });
  });

  describe("revoke-user-sessions", () => {
    test("every session of the user is refused at once, nobody else's", async () => {
      const [person, other] = [await signUp(stack), await signUp(stack)];
      const second = await trySignIn(stack, person.email);
      const asked = { userId: person.user.id };
      expect(await askAs(admin, "/revoke-user-sessions", asked)).toEqual(done);
      expect([await whoIs(person.browser), await whoIs(second.browser)]).toEqual([null, null]);
      expect(await list(person)).toEqual([]);
      expect((await whoIs(other.browser))?.session.token).toBe(other.token);
      expect(await auditOf(rows, "session.revoked-all", person.user.id)).toEqual([byUser(admin)]);
    });

    test("an admin may end all of their own", async () => {
      const staff = await signUpAs(stack, "admin");
      const asked = { userId: staff.user.id };
      expect(await askAs(staff, "/revoke-user-sessions", asked)).toEqual(done);
      expect(await whoIs(staff.browser)).toBeNull();
    });

    test("of somebody unknown nothing is kept", async () => {
      expect(await askAs(admin, "/revoke-user-sessions", { userId: "who" })).toEqual(done);
      expect(await auditOf(rows, "session.revoked-all", "who")).toEqual([]);
    });
  });

  describe("set-user-password", () => {
    const set = ({ user }: SignedUp, text: unknown = newPassword) =>
      askAs(admin, "/set-user-password", { userId: user.id, newPassword: text });
    const status = { status: 200, body: { status: true }, cookies: [] };

    test("the old password and every session end, the new password signs in", async () => {
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
    ])("%j is refused, and nothing changes", async (text, code, message) => {
      const person = await signUp(stack);
      expect(await set(person, text)).toEqual(refusal(400, code, message));
      expect((await whoIs(person.browser))?.session.token).toBe(person.token);
      expect((await trySignIn(stack, person.email)).status).toBe(200);
    });

    test.each([[undefined], [null], [1], [["a"]]])("%j is no password", async (text) => {
      expect(
        await askAs(admin, "/set-user-password", { userId: "who", newPassword: text }),
      ).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    });

    test("a user who has no password is given none", async () => {
      const person = await signUp(stack);
      await rows.ask("delete from identity.account where user_id = $1", person.user.id);
      expect(await set(person)).toEqual(status);
      expect((await trySignIn(stack, person.email, { password: newPassword })).status).toBe(401);
      expect((await whoIs(person.browser))?.session.token).toBe(person.token);
    });

    // Somebody who knows the old password must not keep a session that was on its way while it was replaced.
    test("no sign-in with the old password that runs at the same time keeps its session", async () => {
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
