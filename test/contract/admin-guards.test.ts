import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { testIf } from "../harness/matrix.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  setRole,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";

expectNoLeaks("file");

const userPath = (end: string) => (id: string) => `/admin/users/${id}${end}`;

const guarded = [
  {
    name: "adminGetUser",
    method: "GET",
    path: userPath(""),
    needs: ["user", "list"],
    message: "You are not allowed to list users",
  },
  {
    name: "adminListDuplicates",
    method: "GET",
    path: userPath("/duplicates"),
    needs: ["user", "list"],
    message: "You are not allowed to list users",
  },
  {
    name: "adminVerifyUserEmail",
    method: "POST",
    path: userPath("/verify-email"),
    needs: ["user", "set-email"],
    code: "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
    message: "You are not allowed to update users email",
  },
  {
    name: "adminSendPasswordReset",
    method: "POST",
    path: userPath("/send-password-reset"),
    needs: ["user", "update"],
    message: "You are not allowed to update users",
  },
  {
    name: "adminSendVerification",
    method: "POST",
    path: userPath("/send-verification"),
    needs: ["user", "update"],
    message: "You are not allowed to update users",
  },
  {
    name: "adminReadSignInState",
    method: "GET",
    path: userPath("/sign-in-state"),
    needs: ["user", "list"],
    message: "You are not allowed to list users",
  },
  {
    name: "adminReadIdentityStatistics",
    method: "GET",
    path: () => "/admin/statistics/identity",
    needs: ["statistics", "read"],
    message: "You are not allowed to read statistics",
  },
  {
    name: "adminListSigningKeys",
    method: "GET",
    path: () => "/admin/signing-keys",
    needs: ["signingKey", "list"],
    message: "You are not allowed to list signing keys",
  },
  {
    name: "adminRotateSigningKeys",
    method: "POST",
    path: () => "/admin/signing-keys/rotate",
    needs: ["signingKey", "rotate"],
    message: "You are not allowed to rotate signing keys",
  },
] as const;

const everything = {
  user: ["list", "update", "impersonate", "ban"],
  statistics: ["read"],
  signingKey: ["list", "rotate"],
};
const roleOf = ([resource, action]: readonly [string, string]) => `${resource}-${action}`;
/** For each operation, one role with only its permission and one with all others. */
const roles = Object.fromEntries(
  guarded.flatMap(({ needs }) => {
    const [resource, action] = needs;
    const others = Object.entries(everything).map(
      ([name, actions]) =>
        [name, actions.filter((one) => name !== resource || one !== action)] as const,
    );
    return [
      [roleOf(needs), { [resource]: [action] }],
      [`no-${roleOf(needs)}`, Object.fromEntries(others)],
    ];
  }),
);

/** Refused calls are about this user. */
const { system, user: target } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    admin: { roles: { ...roles, admin: everything, user: {} }, allowImpersonatingAdmins: true },
  },
});

describe.each(guarded)("$name", ({ method, path, needs, message, ...named }) => {
  const code = "code" in named ? named.code : message.toUpperCase().replaceAll(" ", "_");
  const refused = errorResponse(403, code, message);
  const callAs = async (browser: TestUser["browser"], { user } = target) => {
    const answer =
      method === "GET" ? await browser.get(path(user.id)) : await browser.post(path(user.id));
    return readResponse(answer);
  };

  test("rejects callers without a session", async () => {
    expect(await callAs(createBrowserLike(system.url))).toEqual(
      errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
    );
  });

  test("allows users with only this permission", async () => {
    const { browser } = await signUpAs(system, roleOf(needs));
    expect((await callAs(browser, await signUp(system))).status).toBe(200);
  });

  test.each(["user", `no-${roleOf(needs)}`])("rejects users with the role %s", async (role) => {
    const { browser } = await signUpAs(system, role);
    expect(await callAs(browser)).toEqual(refused);
  });

  // One function checks the session and its permissions for every operation.
  const testOnce = testIf(path === guarded[0].path);

  testOnce("rejects an admin who impersonates a user, even one with the permission", async () => {
    const [admin, user, other] = await Promise.all(
      ["admin", "user", "admin"].map((role) => signUpAs(system, role)),
    );
    await callAdmin(admin!, "/impersonate-user", { userId: user!.user.id });
    const forbidden = errorResponse(403, "FORBIDDEN", "Forbidden");
    expect(await callAs(admin!.browser)).toEqual(forbidden);
    await callAdmin(admin!, "/stop-impersonating", undefined);
    await callAdmin(admin!, "/impersonate-user", { userId: other!.user.id });
    expect(await callAs(admin!.browser)).toEqual(forbidden);
  });

  testOnce("rejects users right after a demotion or ban", async () => {
    const [boss, demoted, banned] = await Promise.all(
      ["admin", "admin", "admin"].map((role) => signUpAs(system, role)),
    );
    await setRole(system, demoted!.user.id, "user");
    expect(await callAs(demoted!.browser)).toEqual(refused);
    expect((await callAdmin(boss!, "/ban-user", { userId: banned!.user.id })).status).toBe(200);
    expect((await callAs(banned!.browser)).status).toBe(401);
    expect((await trySignIn(system, banned!.email)).status).toBe(403);
  });
});

test("does not exist if admin operations are off", async () => {
  const off = await startSystem({
    stores: "postgres",
    config: { ...serviceConfig, admin: { enabled: false } },
  });
  try {
    const browser = createBrowserLike(off.url);
    for (const { method, path } of guarded) {
      const answer =
        method === "GET" ? await browser.get(path("a")) : await browser.post(path("a"));
      expect(answer.status).toBe(404);
    }
    for (const path of ["/admin/first-run", "/admin/first-run/check"])
      expect((await browser.post(path, { token: "a" })).status).toBe(404);
  } finally {
    await off.stop();
  }
});
