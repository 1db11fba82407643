import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import {
  type CachedSession,
  getCachedSessionUntil,
  isSignedOut,
} from "../harness/cached-sessions.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  type SessionView,
  signUp,
  signUpAs,
  type TestUser,
  type UserView,
} from "../harness/users.ts";

expectNoLeaks("file");

type Got = { session: SessionView; user: UserView } | null;

/** Returns the gateway's answer, which may come from the session cookie cache. */
const get = async (browser: BrowserLike) =>
  (await readResponse<Got>(await browser.get("/get-session"))).body;

// Changes by admins must override the cached session in the user's browser.
describe.each(sessionStores("redis"))(
  "with cached sessions in browsers, sessions in $where",
  ({ stores }) => {
    const session = { cookieCache: { enabled: true } };
    const { system, admin } = useSystem({ stores, config: { ...serviceConfig, session } });
    /** Signs up a user whose browser holds a cached session. */
    const holder = async (role = "user") => {
      const person = await signUpAs(system, role);
      // A service changes the role without the gateway, which is notified a moment later.
      await until(async () => (await get(person.browser))?.user.role === role);
      expect(person.browser.cookies.has("auth.session_data")).toBe(true);
      return person;
    };

    test.each<[path: string, body: (person: TestUser) => object]>([
      ["/ban-user", ({ user }) => ({ userId: user.id })],
      ["/remove-user", ({ user }) => ({ userId: user.id })],
      ["/revoke-user-sessions", ({ user }) => ({ userId: user.id })],
      ["/revoke-user-session", ({ token }) => ({ sessionToken: token })],
      ["/set-user-password", ({ user }) => ({ userId: user.id, newPassword: "another horse" })],
    ])("after %s no cached session is accepted", async (path, body) => {
      const person = await holder();
      expect((await callAdmin(admin, path, body(person))).status).toBe(200);
      expect((await getCachedSessionUntil(person.browser, isSignedOut)).text).toBe("null");
    });

    test("a new role is returned and effective at once", async () => {
      const person = await holder("admin");
      await callAdmin(admin, "/set-role", { userId: person.user.id, role: "user" });
      const { status } = await callAdmin(person, "/list-user-sessions", { userId: admin.user.id });
      expect(status).toBe(403);
      const isUser = ({ text }: CachedSession) => text.includes('"role":"user"');
      expect(await getCachedSessionUntil(person.browser, isUser)).toSatisfy(isUser);
    });

    test("starting and stopping an impersonation changes the returned user each time", async () => {
      const [staff, target] = [await holder("admin"), await signUp(system)];
      await callAdmin(staff, "/impersonate-user", { userId: target.user.id });
      const during = await get(staff.browser);
      expect([during?.user.id, during?.session.impersonatedBy]).toEqual([
        target.user.id,
        staff.user.id,
      ]);
      const copy = staff.browser.cookies.get("auth.session_data");
      expect((await callAdmin(staff, "/stop-impersonating", {})).status).toBe(200);
      const after = await get(staff.browser);
      expect([after?.user.id, after?.session.token]).toEqual([staff.user.id, staff.token]);
      if (copy !== undefined) staff.browser.cookies.set("auth.session_data", copy);
      expect((await get(staff.browser))?.user.id).toBe(staff.user.id);
    });
  },
);
