import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { actorsOf, byService, byUser } from "../harness/audit.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
import {
  callAdmin,
  callAdminInternal,
  newEmail,
  password,
  readSession,
  setRole,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

expectNoLeaks("file");

const invalid = {
  status: 400,
  body: { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
  cookies: [],
};
const verdict = (success: boolean) => ({
  status: 200,
  body: { error: null, success },
  cookies: [],
});
const stranger = "an id that was chosen";

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const roles = {
    admin: { user: ["set-role", "ban", "create"], session: ["list"] },
    user: {},
    banner: { user: ["ban"] },
    lister: { session: ["list"], report: [] },
  };
  const adminUserIds = ["root"];
  const { system, rows, admin } = useSystem({
    stores,
    config: { ...serviceConfig, admin: { roles, adminUserIds } },
  });
  const give = (userId: string, role: unknown, by: TestUser = admin) =>
    callAdmin<{ user: UserView }>(by, "/set-role", { userId, role });

  describe("set-role", () => {
    test("returns the whole user with the new role", async () => {
      const { user, browser } = await signUp(system);
      const before = await readSession(browser);
      const { status, body, cookies } = await give(user.id, "banner");
      expect([status, cookies]).toEqual([200, []]);
      expect(body.user).toStrictEqual({
        ...before?.user,
        role: "banner",
        updatedAt: expect.any(String),
      });
      expect(await readSession(browser)).toEqual({ session: before?.session, user: body.user });
    });

    test.each([
      ["a list", ["banner", "lister"], "banner,lister"],
      ["a list as text", "banner,lister", "banner,lister"],
      ["blanks around them", " banner , lister", "banner,lister"],
      ["the same twice", ["banner", "banner", "lister,banner"], "banner,lister"],
    ])("stores %s of roles trimmed and without duplicates", async (_, role, stored) => {
      const { user } = await signUp(system);
      expect((await give(user.id, role)).body.user.role).toBe(stored);
    });

    test.each([
      [""],
      [" "],
      [[]],
      [[""]],
      ["nobody"],
      ["Admin"],
      [["admin", "nobody"]],
      ["admin,"],
      ["__proto__"],
      ["toString"],
    ])("rejects %j, which names an unknown role or none, and changes nothing", async (role) => {
      const { user, browser } = await signUp(system);
      const answer = await give(user.id, role);
      expect(answer).toMatchObject(invalid);
      const { issues } = answer.body as unknown as { issues: { path: string; message: string }[] };
      expect(issues).toEqual([
        { path: "role", message: "must be one or more of the configured roles" },
      ]);
      expect((await readSession(browser))?.user.role).toBe("user");
    });

    test.each([[undefined], [null], [1], [{}], [[null]], ["admin\0"]])(
      "rejects %j as a role",
      async (role) => {
        const { user } = await signUp(system);
        expect(await give(user.id, role)).toMatchObject(invalid);
      },
    );

    test("an admin may not demote themselves, but may add roles", async () => {
      const other = await signUpAs(system, "admin");
      expect(await give(other.user.id, "user", other)).toEqual(
        errorResponse(400, "YOU_CANNOT_DEMOTE_YOURSELF", "You cannot demote yourself"),
      );
      const { body } = await give(other.user.id, ["user", "admin"], other);
      expect(body.user.role).toBe("user,admin");
      expect((await give(other.user.id, "user")).body.user.role).toBe("user");
    });

    test("the audit log records actor, subject and change", async () => {
      const { user } = await signUp(system);
      await give(user.id, "banner");
      await setRole(system, user.id, "lister");
      expect(await actorsOf(rows, "user.role-changed", user.id)).toEqual([
        byUser(admin),
        byService,
      ]);
      const changes = await rows.query(
        "select before->>'role' as before, after->>'role' as after from identity.audit where action = 'user.role-changed' and subject_id = $1 order by id",
        user.id,
      );
      expect(changes).toEqual([
        { before: "user", after: "banner" },
        { before: "banner", after: "lister" },
      ]);
    });

    test("either of two roles is enough, but they are not merged", async () => {
      const both = await signUpAs(system, "banner,lister");
      const input = { userId: "unknown" };
      expect((await callAdmin(both, "/list-user-sessions", input)).status).toBe(200);
      expect((await callAdmin(both, "/ban-user", input)).status).toBe(404);
      expect((await callAdmin(both, "/set-role", { ...input, role: "user" })).status).toBe(403);
      const permissions = { user: ["ban"], session: ["list"] };
      expect(await callAdmin(both, "/has-permission", { permissions })).toEqual(verdict(false));
    });

    test("a user without a role has the default one", async () => {
      const { user, browser } = await signUp(system);
      await rows.query("update identity.user set role = null where id = $1", user.id);
      expect((await callAdmin({ browser }, "/ban-user", { userId: "unknown" })).status).toBe(403);
      expect((await give(user.id, "banner")).body.user.role).toBe("banner");
    });
  });

  describe("for services", () => {
    test("set-role validates roles and users as for admins", async () => {
      const { user } = await signUp(system);
      expect(
        await callAdminInternal(system, "/set-role", { userId: user.id, role: "x" }),
      ).toMatchObject(invalid);
      expect(
        await callAdminInternal(system, "/set-role", { userId: "unknown", role: "user" }),
      ).toEqual(errorResponse(404, "USER_NOT_FOUND", "User not found"));
    });

    test.each([
      ["/set-role", { userId: "unknown", role: "user" }],
      ["/create-user", { email: "who@example.com", password, name: "Who" }],
      ["/has-permission", { role: "admin", permission: { user: ["ban"] } }],
    ])(
      "%s requires a service token, and is unreachable through the gateway",
      async (path, body) => {
        const forbidden = errorResponse(403, "FORBIDDEN", "Forbidden");
        for (const authorization of ["", "Bearer ", "Bearer wrong", `Bearer ${admin.token}`])
          expect(await callAdminInternal(system, path, body, authorization)).toEqual(forbidden);
        const outside = await admin.browser.post(`/internal/admin${path}`, body);
        expect(outside.status).toBe(404);
      },
    );
  });

  describe("admin.adminUserIds", () => {
    test("such a user passes every check, whatever the role, and stays an admin", async () => {
      const email = newEmail();
      const body = { email, password, name: "Root", id: "root", forceAllowId: true };
      expect((await callAdminInternal(system, "/create-user", body)).status).toBe(200);
      const { browser } = await trySignIn(system, email);
      const permissions = { user: ["ban"], moon: ["land on"] };
      expect(await callAdmin({ browser }, "/has-permission", { permissions })).toEqual(
        verdict(true),
      );
      expect(
        await callAdminInternal(system, "/has-permission", { userId: "root", permissions }),
      ).toEqual(verdict(true));
      const demoted = await callAdmin({ browser }, "/set-role", { userId: "root", role: "user" });
      expect(demoted.status).toBe(200);
      expect((await callAdmin({ browser }, "/unban-user", { userId: "unknown" })).status).toBe(404);
    });
  });

  describe("has-permission", () => {
    const cases: [asked: Record<string, string[]>, allowed: boolean][] = [
      [{ user: ["ban"] }, true],
      [{ user: ["ban", "create"], session: ["list"] }, true],
      [{ user: ["ban", "delete"] }, false],
      [{ user: ["ban"], session: ["revoke"] }, false],
      [{ moon: ["land on"] }, false],
      [{ user: [] }, true],
      [{ moon: [] }, false],
      [{ __proto__: [] as string[], toString: [] }, false],
      [{}, false],
    ];
    test.each(cases)(
      "answers an admin's %j with %j, under either name",
      async (permissions, allowed) => {
        for (const name of ["permissions", "permission"]) {
          expect(await callAdmin(admin, "/has-permission", { [name]: permissions })).toEqual(
            verdict(allowed),
          );
          const inside = { role: "admin", [name]: permissions };
          expect(await callAdminInternal(system, "/has-permission", inside)).toEqual(
            verdict(allowed),
          );
        }
      },
    );

    test.each([
      {},
      { permissions: { user: ["ban"] }, permission: { user: ["ban"] } },
      { permission: null },
      { permission: "ban" },
      { permission: { user: "ban" } },
      { permission: { user: [1] } },
      { permissions: ["ban"] },
    ])("rejects the permissions %j", async (body) => {
      expect(await callAdmin(admin, "/has-permission", body)).toMatchObject(invalid);
      expect(
        await callAdminInternal(system, "/has-permission", { role: "admin", ...body }),
      ).toMatchObject(invalid);
    });

    // Attack: a user learns the permissions of others.
    test("the answer is about the caller, whoever is named", async () => {
      const user = await signUp(system);
      const permission = { user: ["ban"] };
      for (const own of [{ userId: admin.user.id }, { role: "admin" }])
        expect(await callAdmin(user, "/has-permission", { permission, ...own })).toEqual(
          verdict(false),
        );
      const own = { permission, userId: user.user.id, role: "user" };
      expect(await callAdmin(admin, "/has-permission", own)).toEqual(verdict(true));
    });

    test("a service may ask about a user or a role", async () => {
      const banner = await signUpAs(system, "banner");
      const hasPermission = (own: object) =>
        callAdminInternal(system, "/has-permission", { permission: { user: ["ban"] }, ...own });
      const unknown = errorResponse(400, "USER_NOT_FOUND", "user not found");
      expect(await hasPermission({ userId: banner.user.id })).toEqual(verdict(true));
      expect(await hasPermission({ userId: banner.user.id, role: "user" })).toEqual(verdict(true));
      expect(await hasPermission({ userId: stranger, role: "banner" })).toEqual(verdict(true));
      expect(await hasPermission({ role: "lister" })).toEqual(verdict(false));
      expect(await hasPermission({ role: "nobody" })).toEqual(verdict(false));
      expect(await hasPermission({ userId: stranger })).toEqual(unknown);
      expect(await hasPermission({})).toEqual(unknown);
    });
  });
});
