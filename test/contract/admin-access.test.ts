import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import {
  callAdmin,
  newEmail,
  password,
  readSession,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix, representatives } from "../harness/matrix.ts";

expectNoLeaks("file");

const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const unknownUser = errorResponse(404, "USER_NOT_FOUND", "User not found");
const done = { status: 200, body: { success: true }, cookies: [] };
const invalid = {
  status: 400,
  body: { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
  cookies: [],
};

interface Guarded {
  path: string;
  needs: readonly [resource: string, action: string];
  code: string;
  message: string;
  /** In addition to `userId`. */
  body: Record<string, unknown>;
  /** The answer for a user who does not exist. */
  unknown: unknown;
}

const aboutUsers: Guarded[] = [
  {
    path: "/set-role",
    needs: ["user", "set-role"],
    code: "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
    message: "You are not allowed to change users role",
    body: { role: "user" },
    unknown: unknownUser,
  },
  {
    path: "/list-user-sessions",
    needs: ["session", "list"],
    code: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
    message: "You are not allowed to list users sessions",
    body: {},
    unknown: { status: 200, body: { sessions: [] }, cookies: [] },
  },
  {
    path: "/ban-user",
    needs: ["user", "ban"],
    code: "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
    message: "You are not allowed to ban users",
    body: {},
    unknown: unknownUser,
  },
  {
    path: "/unban-user",
    needs: ["user", "ban"],
    code: "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
    message: "You are not allowed to ban users",
    body: {},
    unknown: unknownUser,
  },
  {
    path: "/impersonate-user",
    needs: ["user", "impersonate"],
    code: "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS",
    message: "You are not allowed to impersonate users",
    body: {},
    unknown: unknownUser,
  },
  {
    path: "/create-impersonation-link",
    needs: ["user", "impersonate"],
    code: "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS",
    message: "You are not allowed to impersonate users",
    body: { reason: "a ticket" },
    unknown: unknownUser,
  },
  {
    path: "/revoke-user-sessions",
    needs: ["session", "revoke"],
    code: "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
    message: "You are not allowed to revoke users sessions",
    body: {},
    unknown: done,
  },
  {
    path: "/remove-user",
    needs: ["user", "delete"],
    code: "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS",
    message: "You are not allowed to delete users",
    body: {},
    unknown: done,
  },
  {
    path: "/set-user-password",
    needs: ["user", "set-password"],
    code: "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD",
    message: "You are not allowed to set users password",
    body: { newPassword: "another horse battery" },
    unknown: { status: 200, body: { status: true, changed: false }, cookies: [] },
  },
];
const others: Guarded[] = [
  {
    path: "/create-user",
    needs: ["user", "create"],
    code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS",
    message: "You are not allowed to create users",
    body: { email: "nobody@example.com", password, name: "Nobody" },
    unknown: undefined,
  },
  {
    path: "/revoke-user-session",
    needs: ["session", "revoke"],
    code: "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
    message: "You are not allowed to revoke users sessions",
    body: { sessionToken: "none" },
    unknown: undefined,
  },
];
const guarded = [...aboutUsers, ...others];

/** For each permission, one role with that permission only and one with all others. */
const everything = { user: ["create", "set-role", "ban", "impersonate", "delete", "set-password"] };
const statements: Record<string, string[]> = { ...everything, session: ["list", "revoke"] };
const roleName = (kind: "only" | "all-but", [resource, action]: Guarded["needs"]) =>
  `${kind}-${resource}-${action}`;
const roles = Object.fromEntries(
  guarded.flatMap(({ needs }) => {
    const [resource, action] = needs;
    const allBut = (statements[resource] ?? []).filter((other) => other !== action);
    return [
      [roleName("only", needs), { [resource]: [action] }],
      [roleName("all-but", needs), { ...statements, [resource]: allBut }],
    ];
  }),
);

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  let admin: TestUser;
  const admins = { admin: statements, user: {}, ...roles };
  const { system, user } = useSystem({
    stores,
    config: { ...serviceConfig, admin: { roles: admins } },
  });
  beforeAll(async () => {
    admin = await signUpAs(system, "admin");
  });
  const anybody = () => ({ browser: createBrowserLike(system.url) });

  describe.each(guarded)("$path", ({ path, body, ...guard }) => {
    const victim = async () => ({ userId: (await signUp(system)).user.id, ...body });

    test("rejects an invalid body before it authenticates the caller", async () => {
      expect(await callAdmin(anybody(), path, {})).toMatchObject(invalid);
      expect(await callAdmin(user, path, {})).toMatchObject(invalid);
    });

    test("rejects callers without a session", async () => {
      const about = { userId: user.user.id, ...body };
      expect(await callAdmin(anybody(), path, about)).toEqual(unauthorized);
    });

    test("rejects users without the permission and names it", async () => {
      const { code, message } = guard;
      const about = { userId: admin.user.id, ...body };
      expect(await callAdmin(user, path, about)).toEqual(errorResponse(403, code, message));
    });

    test("requires exactly its own permission", async () => {
      const allowed = await signUpAs(system, roleName("only", guard.needs));
      const refused = await signUpAs(system, roleName("all-but", guard.needs));
      const input = { ...(await victim()), ...("email" in body ? { email: newEmail() } : {}) };
      expect(await callAdmin(refused, path, input)).toMatchObject({
        status: 403,
        body: { code: guard.code },
      });
      expect(await callAdmin(allowed, path, input)).toMatchObject({ status: 200 });
    });

    test("rejects a foreign page that sends the cookies of an admin", async () => {
      const evil = { origin: "https://evil.example" };
      const response = await admin.browser.post(
        `/admin${path}`,
        { userId: user.user.id, ...body },
        evil,
      );
      expect(await readResponse(response)).toMatchObject(
        errorResponse(403, "INVALID_ORIGIN", "Invalid origin"),
      );
    });

    test("exists for POST only", async () => {
      expect((await admin.browser.get(`/admin${path}`)).status).toBe(404);
    });
  });

  describe.each(aboutUsers)("$path", ({ path, body, unknown }) => {
    // One schema of ids serves all of them.
    const some = <Id>(ids: readonly Id[]) =>
      representatives(ids, (_, index) => path === aboutUsers[0]?.path || index === 0);

    test.each(
      some([
        [undefined],
        [null],
        [""],
        [true],
        [["a"]],
        [{ id: "a" }],
        ["a\0b"],
        ["\ud800"],
        ["a".repeat(256)],
      ]),
    )("rejects %j as a user id", async (userId) => {
      const answer = await callAdmin<{ issues: { path: string }[] }>(admin, path, {
        ...body,
        userId,
      });
      expect(answer).toMatchObject(invalid);
      expect(answer.body.issues.map((issue) => issue.path)).toEqual(["userId"]);
    });

    test.each(some(["unknown", "' or 1=1 --", "%", 0, 4711, -1.5, "undefined"]))(
      "accepts %j as the id of an unknown user",
      async (userId) => {
        expect(await callAdmin(admin, path, { ...body, userId })).toEqual(unknown);
      },
    );
  });

  test("stopping an impersonation requires a session", async () => {
    expect(await callAdmin(anybody(), "/stop-impersonating", {})).toEqual(unauthorized);
  });

  test("has-permission requires a session, whoever is named", async () => {
    const input = { permission: { user: ["ban"] } };
    for (const own of [{}, { userId: admin.user.id }, { role: "admin" }])
      expect(await callAdmin(anybody(), "/has-permission", { ...input, ...own })).toEqual(
        unauthorized,
      );
  });

  // Neither a session nor a user snapshot in it keeps a role that the user has lost.
  test("role changes take effect at once in existing sessions", async () => {
    const person = await signUp(system);
    const input = { userId: "unknown" };
    const { user: promoted } = (
      await callAdmin<{ user: { role: string } }>(admin, "/set-role", {
        userId: person.user.id,
        role: "admin",
      })
    ).body;
    expect(promoted.role).toBe("admin");
    expect((await readSession(person.browser))?.user.role).toBe("admin");
    expect(await callAdmin(person, "/revoke-user-sessions", input)).toEqual(done);
    await callAdmin(admin, "/set-role", { userId: person.user.id, role: "user" });
    expect(await callAdmin(person, "/revoke-user-sessions", input)).toMatchObject({ status: 403 });
    expect((await readSession(person.browser))?.user.role).toBe("user");
  });
});

describe("with admin.enabled false", () => {
  const config = { ...serviceConfig, admin: { enabled: false } };
  const { user: person } = useSystem({ stores: "postgres", config });

  test.each([...guarded.map(({ path }) => path), "/stop-impersonating", "/has-permission"])(
    "%s does not exist",
    async (path) => {
      expect(await callAdmin(person, path, {})).toEqual({
        status: 404,
        body: undefined,
        cookies: [],
      });
    },
  );

  test("users and sessions contain no roles, bans or impersonations", async () => {
    const shown = await readSession(person.browser);
    for (const name of ["role", "banned", "banReason", "banExpires"])
      expect(shown?.user).not.toHaveProperty(name);
    expect(shown?.session).not.toHaveProperty("impersonatedBy");
  });
});
