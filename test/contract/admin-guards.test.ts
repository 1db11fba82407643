import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import { adminConfig, askAs, setRole, signUpAs, trySignIn } from "./admin-people.ts";
import { refusal, seen, type SignedUp, signUp } from "./identity-people.ts";

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
    name: "adminVerifyUserEmail",
    method: "POST",
    path: userPath("/verify-email"),
    needs: ["user", "update"],
    message: "You are not allowed to update users",
  },
  {
    name: "adminSendPasswordReset",
    method: "POST",
    path: userPath("/send-password-reset"),
    needs: ["user", "update"],
    message: "You are not allowed to update users",
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
/** One that allows nothing but what an operation asks for, and one that allows all but that. */
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

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    stores: "postgres",
    config: {
      ...adminConfig,
      admin: { roles: { ...roles, admin: everything, user: {} }, allowImpersonatingAdmins: true },
    },
  });
});
afterAll(() => stack.stop());

describe.each(guarded)("$name", ({ method, path, needs, message }) => {
  const refused = refusal(403, message.toUpperCase().replaceAll(" ", "_"), message);
  const ask = async (browser: SignedUp["browser"]) => {
    const { user } = await signUp(stack);
    const answer =
      method === "GET" ? await browser.get(path(user.id)) : await browser.post(path(user.id));
    return seen(answer);
  };

  test("nobody without a session may", async () => {
    expect(await ask(createBrowserLike(stack.url))).toEqual(
      refusal(401, "UNAUTHORIZED", "Unauthorized"),
    );
  });

  test("whoever has the permission, and nothing else, may", async () => {
    const { browser } = await signUpAs(stack, roleOf(needs));
    expect((await ask(browser)).status).toBe(200);
  });

  test.each(["user", `no-${roleOf(needs)}`])("nobody with the role %s may", async (role) => {
    const { browser } = await signUpAs(stack, role);
    expect(await ask(browser)).toEqual(refused);
  });

  test("an admin may not in the name of a user who may not, and may in the name of one who may", async () => {
    const [admin, user, other] = await Promise.all(
      ["admin", "user", "admin"].map((role) => signUpAs(stack, role)),
    );
    await askAs(admin!, "/impersonate-user", { userId: user!.user.id });
    expect(await ask(admin!.browser)).toEqual(refused);
    await askAs(admin!, "/stop-impersonating", undefined);
    await askAs(admin!, "/impersonate-user", { userId: other!.user.id });
    expect((await ask(admin!.browser)).status).toBe(200);
  });

  test("who was demoted or banned a moment ago may no more", async () => {
    const [boss, demoted, banned] = await Promise.all(
      ["admin", "admin", "admin"].map((role) => signUpAs(stack, role)),
    );
    await setRole(stack, demoted!.user.id, "user");
    expect(await ask(demoted!.browser)).toEqual(refused);
    expect((await askAs(boss!, "/ban-user", { userId: banned!.user.id })).status).toBe(200);
    expect((await ask(banned!.browser)).status).toBe(401);
    expect((await trySignIn(stack, banned!.email)).status).toBe(403);
  });
});

test("where admin operations are off none of them is there", async () => {
  const off = await startStack({
    stores: "postgres",
    config: { ...adminConfig, admin: { enabled: false } },
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
