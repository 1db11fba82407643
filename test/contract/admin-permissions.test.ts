import { adminStatements } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import { adminConfig, setRole, signUpAs } from "./admin-people.ts";
import { refusal, seen, signUp } from "./identity-people.ts";

expectNoLeaks("file");

const roles = {
  admin: { user: ["list", "ban"], invoice: ["pay"] },
  support: { user: ["list"], session: ["list"], delivery: [] },
  postmaster: { delivery: ["list", "retry"] },
  user: {},
};

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    stores: "postgres",
    config: { ...adminConfig, admin: { roles } },
  });
});
afterAll(() => stack?.stop());

const ask = async (browser: BrowserLike) => seen(await browser.get("/admin/permissions"));
const allowed = (permissions: Record<string, readonly string[]>) => ({
  status: 200,
  body: { permissions },
  cookies: [],
});

describe("reading one's own permissions", () => {
  test("requires a session", async () => {
    expect(await ask(createBrowserLike(stack.url))).toEqual(
      refusal(401, "UNAUTHORIZED", "Unauthorized"),
    );
  });

  test.each([
    ["user", {}],
    ["support", { user: ["list"], session: ["list"] }],
    // Also includes actions of the application, which no admin operation requires.
    ["admin", { user: ["list", "ban"] }],
    ["support,postmaster", { user: ["list"], session: ["list"], delivery: ["list", "retry"] }],
  ])("returns them to users of the role %s", async (role, permissions) => {
    const { browser } = await signUpAs(stack, role);
    expect(await ask(browser)).toEqual(allowed(permissions));
  });

  test("follows a change of the role at once", async () => {
    const { browser, user } = await signUp(stack);
    expect(await ask(browser)).toEqual(allowed({}));
    await setRole(stack, user.id, "postmaster");
    expect(await ask(browser)).toEqual(allowed({ delivery: ["list", "retry"] }));
  });
});

test("returns all permissions to a default admin", async () => {
  const other = await startStack({ stores: "postgres", config: adminConfig });
  try {
    const { browser } = await signUpAs(other, "admin");
    expect(await ask(browser)).toEqual(allowed(adminStatements));
  } finally {
    await other.stop();
  }
});
