import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import {
  adminConfig,
  askAs,
  askInside,
  auditOf,
  byService,
  byUser,
  setRole,
  type ShownUser,
  signUpAs,
  trySignIn,
  whoIs,
} from "./admin-people.ts";
import {
  newEmail,
  openRows,
  password,
  refusal,
  type Rows,
  type SignedUp,
  signUp,
} from "./identity-people.ts";

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
  let stack: Stack;
  let rows: Rows;
  let admin: SignedUp;
  beforeAll(async () => {
    const roles = {
      admin: { user: ["set-role", "ban", "create"], session: ["list"] },
      user: {},
      banner: { user: ["ban"] },
      lister: { session: ["list"], report: [] },
    };
    const adminUserIds = ["root"];
    stack = await startStack({
      stores,
      config: { ...adminConfig, admin: { roles, adminUserIds } },
    });
    rows = openRows(stack);
    admin = await signUpAs(stack, "admin");
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  const give = (userId: string, role: unknown, by: SignedUp = admin) =>
    askAs<{ user: ShownUser }>(by, "/set-role", { userId, role });

  describe("set-role", () => {
    test("returns the whole user with the new role", async () => {
      const { user, browser } = await signUp(stack);
      const before = await whoIs(browser);
      const { status, body, cookies } = await give(user.id, "banner");
      expect([status, cookies]).toEqual([200, []]);
      expect(body.user).toStrictEqual({
        ...before?.user,
        role: "banner",
        updatedAt: expect.any(String),
      });
      expect(await whoIs(browser)).toEqual({ session: before?.session, user: body.user });
    });

    test.each([
      ["a list", ["banner", "lister"], "banner,lister"],
      ["a list as text", "banner,lister", "banner,lister"],
      ["blanks around them", " banner , lister", "banner,lister"],
      ["the same twice", ["banner", "banner", "lister,banner"], "banner,lister"],
    ])("stores %s of roles trimmed and without duplicates", async (_, role, kept) => {
      const { user } = await signUp(stack);
      expect((await give(user.id, role)).body.user.role).toBe(kept);
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
      const { user, browser } = await signUp(stack);
      const answer = await give(user.id, role);
      expect(answer).toMatchObject(invalid);
      const { issues } = answer.body as unknown as { issues: { path: string; message: string }[] };
      expect(issues).toEqual([
        { path: "role", message: "must be one or more of the configured roles" },
      ]);
      expect((await whoIs(browser))?.user.role).toBe("user");
    });

    test.each([[undefined], [null], [1], [{}], [[null]], ["admin\0"]])(
      "rejects %j as a role",
      async (role) => {
        const { user } = await signUp(stack);
        expect(await give(user.id, role)).toMatchObject(invalid);
      },
    );

    test("an admin may not demote themselves, but may add roles", async () => {
      const other = await signUpAs(stack, "admin");
      expect(await give(other.user.id, "user", other)).toEqual(
        refusal(400, "YOU_CANNOT_DEMOTE_YOURSELF", "You cannot demote yourself"),
      );
      const { body } = await give(other.user.id, ["user", "admin"], other);
      expect(body.user.role).toBe("user,admin");
      expect((await give(other.user.id, "user")).body.user.role).toBe("user");
    });

    test("the audit log records actor, subject and change", async () => {
      const { user } = await signUp(stack);
      await give(user.id, "banner");
      await setRole(stack, user.id, "lister");
      expect(await auditOf(rows, "user.role-changed", user.id)).toEqual([byUser(admin), byService]);
      const changes = await rows.ask(
        "select before->>'role' as before, after->>'role' as after from identity.audit where action = 'user.role-changed' and subject_id = $1 order by id",
        user.id,
      );
      expect(changes).toEqual([
        { before: "user", after: "banner" },
        { before: "banner", after: "lister" },
      ]);
    });

    test("either of two roles is enough, but they are not merged", async () => {
      const both = await signUpAs(stack, "banner,lister");
      const asked = { userId: "unknown" };
      expect((await askAs(both, "/list-user-sessions", asked)).status).toBe(200);
      expect((await askAs(both, "/ban-user", asked)).status).toBe(404);
      expect((await askAs(both, "/set-role", { ...asked, role: "user" })).status).toBe(403);
      const permissions = { user: ["ban"], session: ["list"] };
      expect(await askAs(both, "/has-permission", { permissions })).toEqual(verdict(false));
    });

    test("a user without a role has the default one", async () => {
      const { user, browser } = await signUp(stack);
      await rows.ask("update identity.user set role = null where id = $1", user.id);
      expect((await askAs({ browser }, "/ban-user", { userId: "unknown" })).status).toBe(403);
      expect((await give(user.id, "banner")).body.user.role).toBe("banner");
    });
  });

  describe("for services", () => {
    test("set-role validates roles and users as for admins", async () => {
      const { user } = await signUp(stack);
      expect(await askInside(stack, "/set-role", { userId: user.id, role: "x" })).toMatchObject(
        invalid,
      );
      expect(await askInside(stack, "/set-role", { userId: "unknown", role: "user" })).toEqual(
        refusal(404, "USER_NOT_FOUND", "User not found"),
      );
    });

    test.each([
      ["/set-role", { userId: "unknown", role: "user" }],
      ["/create-user", { email: "who@example.com", password, name: "Who" }],
      ["/has-permission", { role: "admin", permission: { user: ["ban"] } }],
    ])(
      "%s requires a service token, and is unreachable through the gateway",
      async (path, body) => {
        const forbidden = refusal(403, "FORBIDDEN", "Forbidden");
        for (const authorization of ["", "Bearer ", "Bearer wrong", `Bearer ${admin.token}`])
          expect(await askInside(stack, path, body, authorization)).toEqual(forbidden);
        const outside = await admin.browser.post(`/internal/admin${path}`, body);
        expect(outside.status).toBe(404);
      },
    );
  });

  describe("admin.adminUserIds", () => {
    test("such a user passes every check, whatever the role, and stays an admin", async () => {
      const email = newEmail();
      const body = { email, password, name: "Root", id: "root", forceAllowId: true };
      expect((await askInside(stack, "/create-user", body)).status).toBe(200);
      const { browser } = await trySignIn(stack, email);
      const permissions = { user: ["ban"], moon: ["land on"] };
      expect(await askAs({ browser }, "/has-permission", { permissions })).toEqual(verdict(true));
      expect(await askInside(stack, "/has-permission", { userId: "root", permissions })).toEqual(
        verdict(true),
      );
      const demoted = await askAs({ browser }, "/set-role", { userId: "root", role: "user" });
      expect(demoted.status).toBe(200);
      expect((await askAs({ browser }, "/unban-user", { userId: "unknown" })).status).toBe(404);
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
    test.each(cases)("answers an admin's %j with %j, under either name", async (asked, allowed) => {
      for (const name of ["permissions", "permission"]) {
        expect(await askAs(admin, "/has-permission", { [name]: asked })).toEqual(verdict(allowed));
        const inside = { role: "admin", [name]: asked };
        expect(await askInside(stack, "/has-permission", inside)).toEqual(verdict(allowed));
      }
    });

    test.each([
      {},
      { permissions: { user: ["ban"] }, permission: { user: ["ban"] } },
      { permission: null },
      { permission: "ban" },
      { permission: { user: "ban" } },
      { permission: { user: [1] } },
      { permissions: ["ban"] },
    ])("rejects the permissions %j", async (body) => {
      expect(await askAs(admin, "/has-permission", body)).toMatchObject(invalid);
      expect(await askInside(stack, "/has-permission", { role: "admin", ...body })).toMatchObject(
        invalid,
      );
    });

    // Attack: a user learns the permissions of others.
    test("the answer is about the caller, whoever is named", async () => {
      const user = await signUp(stack);
      const permission = { user: ["ban"] };
      for (const own of [{ userId: admin.user.id }, { role: "admin" }])
        expect(await askAs(user, "/has-permission", { permission, ...own })).toEqual(
          verdict(false),
        );
      const own = { permission, userId: user.user.id, role: "user" };
      expect(await askAs(admin, "/has-permission", own)).toEqual(verdict(true));
    });

    test("a service may ask about a user or a role", async () => {
      const banner = await signUpAs(stack, "banner");
      const ask = (own: object) =>
        askInside(stack, "/has-permission", { permission: { user: ["ban"] }, ...own });
      const unknown = refusal(400, "USER_NOT_FOUND", "user not found");
      expect(await ask({ userId: banner.user.id })).toEqual(verdict(true));
      expect(await ask({ userId: banner.user.id, role: "user" })).toEqual(verdict(true));
      expect(await ask({ userId: stranger, role: "banner" })).toEqual(verdict(true));
      expect(await ask({ role: "lister" })).toEqual(verdict(false));
      expect(await ask({ role: "nobody" })).toEqual(verdict(false));
      expect(await ask({ userId: stranger })).toEqual(unknown);
      expect(await ask({})).toEqual(unknown);
    });
  });
});
