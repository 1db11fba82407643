import { adminStatements } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { setRole, signUp, signUpAs } from "../harness/users.ts";

expectNoLeaks("file");

const roles = {
  admin: { user: ["list", "ban"], invoice: ["pay"] },
  support: { user: ["list"], session: ["list"], delivery: [] },
  postmaster: { delivery: ["list", "retry"] },
  user: {},
};

const { system } = useSystem({
  stores: "postgres",
  config: { ...serviceConfig, admin: { roles } },
});

const readPermissions = async (browser: BrowserLike) =>
  readResponse(await browser.get("/admin/permissions"));
const allowed = (permissions: Record<string, readonly string[]>) => ({
  status: 200,
  body: { permissions },
  cookies: [],
});

describe("reading one's own permissions", () => {
  test("requires a session", async () => {
    expect(await readPermissions(createBrowserLike(system.url))).toEqual(
      errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
    );
  });

  test.each([
    ["user", {}],
    ["support", { user: ["list"], session: ["list"] }],
    // Also includes actions of the application, which no admin operation requires.
    ["admin", { user: ["list", "ban"] }],
    ["support,postmaster", { user: ["list"], session: ["list"], delivery: ["list", "retry"] }],
  ])("returns them to users of the role %s", async (role, permissions) => {
    const { browser } = await signUpAs(system, role);
    expect(await readPermissions(browser)).toEqual(allowed(permissions));
  });

  test("follows a change of the role at once", async () => {
    const { browser, user } = await signUp(system);
    expect(await readPermissions(browser)).toEqual(allowed({}));
    await setRole(system, user.id, "postmaster");
    expect(await readPermissions(browser)).toEqual(allowed({ delivery: ["list", "retry"] }));
  });
});

test("returns all permissions to a default admin", async () => {
  const other = await startSystem({ stores: "postgres", config: serviceConfig });
  try {
    const { browser } = await signUpAs(other, "admin");
    expect(await readPermissions(browser)).toEqual(allowed(adminStatements));
  } finally {
    await other.stop();
  }
});
