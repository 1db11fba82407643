import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { actorsOf, byUser } from "../harness/audit.ts";
import { matrixValue, sessionStores, testIf } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race, racers } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  callAdminInternal,
  isSessionToken,
  readSession,
  setRole,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";

expectNoLeaks("file");

const done = { status: 200, body: { success: true }, cookies: [] };
const last = errorResponse(
  400,
  "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
  "You cannot remove the last admin",
);
const rounds = matrixValue(1, 4);

/** Operations that remove an admin. */
const losses: { path: string; body: object }[] = [
  { path: "/remove-user", body: {} },
  { path: "/ban-user", body: {} },
  { path: "/set-role", body: { role: "user" } },
];

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  const everything = { user: ["set-role", "ban", "delete"], session: ["revoke"] };
  // A deputy may act on admins but is not one: the role is not in `admin.adminRoles`.
  const roles = { admin: everything, user: {}, deputy: everything };
  const { system, rows } = useSystem({ stores, config: { ...serviceConfig, admin: { roles } } });
  // Removes all admins of earlier tests.
  beforeEach(() => rows.query("update identity.user set role = 'user'"));
  const admins = async () =>
    (await rows.query("select id from identity.user where role = 'admin' and not banned")).map(
      ({ id }) => id,
    );

  describe("remove-user", () => {
    const remove = (by: TestUser, { user }: TestUser) =>
      callAdmin(by, "/remove-user", { userId: user.id });

    test("deletes user, accounts and sessions, and frees the address", async () => {
      const admin = await signUpAs(system, "admin");
      const person = await signUp(system);
      const second = await trySignIn(system, person.email);
      expect(await remove(admin, person)).toEqual(done);
      expect([await readSession(person.browser), await readSession(second.browser)]).toEqual([
        null,
        null,
      ]);
      for (const table of ["account", "session"])
        expect(
          await rows.query(`select 1 from identity.${table} where user_id = $1`, person.user.id),
        ).toEqual([]);
      expect((await trySignIn(system, person.email)).status).toBe(401);
      const { email } = person;
      const again = { name: "Ada", email, password: "correct horse battery" };
      expect((await second.browser.post("/sign-up/email", again)).status).toBe(200);
      expect(await actorsOf(rows, "user.deleted", person.user.id)).toEqual([byUser(admin)]);
    });

    test("rejects removing oneself", async () => {
      await signUpAs(system, "admin");
      const admin = await signUpAs(system, "admin");
      expect(await remove(admin, admin)).toEqual(
        errorResponse(400, "YOU_CANNOT_REMOVE_YOURSELF", "You cannot remove yourself"),
      );
      expect((await readSession(admin.browser))?.user.id).toBe(admin.user.id);
    });

    test("removes one user once for 16 concurrent calls, and none fails", async () => {
      const admin = await signUpAs(system, "admin");
      const person = await signUp(system);
      const answers = await race(() => remove(admin, person));
      expect(answers).toEqual(answers.map(() => done));
      expect(await actorsOf(rows, "user.deleted", person.user.id)).toHaveLength(1);
    });

    test("no concurrent sign-in keeps a session", async () => {
      const admin = await signUpAs(system, "admin");
      for (let round = 0; round < rounds; round += 1) {
        const person = await signUp(system);
        const [answers] = await Promise.all([
          race(() => trySignIn(system, person.email)),
          remove(admin, person),
        ]);
        const tokens = answers.flatMap(({ body }) => body.token ?? []);
        const open = await Promise.all(tokens.map((token) => isSessionToken(system, token)));
        expect(open).toEqual(tokens.map(() => false));
        for (const { status } of answers) expect([200, 401]).toContain(status);
      }
    });
  });

  describe.each(losses)("the last admin, by $path", ({ path, body }) => {
    const lose = (by: TestUser, { user }: TestUser) =>
      callAdmin(by, path, { ...body, userId: user.id });

    test("is rejected, whoever calls", async () => {
      const admin = await signUpAs(system, "admin");
      const staff = await signUpAs(system, "deputy");
      expect(await lose(staff, admin)).toEqual(last);
      expect((await readSession(admin.browser))?.user).toMatchObject({
        role: "admin",
        banned: false,
      });
      expect(await admins()).toEqual([admin.user.id]);
    });

    test("is allowed once there is another admin", async () => {
      const admin = await signUpAs(system, "admin");
      const staff = await signUpAs(system, "deputy");
      const other = await signUpAs(system, "admin");
      expect((await lose(staff, admin)).status).toBe(200);
      expect(await admins()).toEqual([other.user.id]);
      expect(await lose(staff, other)).toEqual(last);
    });

    test("does not count banned admins", async () => {
      const admin = await signUpAs(system, "admin");
      const other = await signUpAs(system, "admin");
      const staff = await signUpAs(system, "deputy");
      expect((await callAdmin(admin, "/ban-user", { userId: other.user.id })).status).toBe(200);
      expect(await lose(staff, admin)).toEqual(last);
      await callAdmin(admin, "/unban-user", { userId: other.user.id });
      expect((await lose(staff, admin)).status).toBe(200);
    });

    test("leaves one of two admins who remove each other concurrently", async () => {
      for (let round = 0; round < rounds; round += 1) {
        await rows.query("update identity.user set role = 'user'");
        const pair = [await signUpAs(system, "admin"), await signUpAs(system, "admin")] as const;
        const answers = await race((index) =>
          index % 2 === 0 ? lose(pair[0], pair[1]) : lose(pair[1], pair[0]),
        );
        expect(answers).toHaveLength(racers);
        for (const { status } of answers) expect([200, 400, 401, 403]).toContain(status);
        const remaining = await admins();
        expect(remaining).toHaveLength(1);
        const stayed = pair.find(({ user }) => user.id === remaining[0]) ?? pair[0];
        expect((await readSession(stayed.browser))?.user.role).toBe("admin");
      }
    });

    // One function of all three locks the admins.
    const testOnce = testIf(path === "/set-role");
    testOnce("leaves one of 16 admins who are removed concurrently", async () => {
      const staff = await signUpAs(system, "deputy");
      const many = await race(() => signUpAs(system, "admin"));
      const answers = await race((index) => lose(staff, many[index] ?? staff));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(racers - 1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([last]);
      expect(await admins()).toHaveLength(1);
    });
  });

  test("a service cannot change the last admin's role either", async () => {
    const admin = await signUpAs(system, "admin");
    const input = { userId: admin.user.id, role: "user" };
    expect(await callAdminInternal(system, "/set-role", input)).toEqual(last);
    await setRole(system, admin.user.id, "user,admin");
  });

  // One caller makes the user an admin and another removes the user, while the only other admin is removed too.
  test("a user who is becoming an admin and is deleted does not count as the remaining admin", async () => {
    for (let round = 0; round < rounds; round += 1) {
      await rows.query("update identity.user set role = 'user'");
      const admin = await signUpAs(system, "admin");
      const staff = await signUpAs(system, "deputy");
      const person = await signUp(system);
      const { id } = person.user;
      await Promise.all([
        callAdminInternal(system, "/set-role", { userId: id, role: "admin" }),
        callAdmin(staff, "/remove-user", { userId: admin.user.id }),
        callAdmin(staff, "/remove-user", { userId: id }),
      ]);
      expect(await admins()).toHaveLength(1);
    }
  });
});
