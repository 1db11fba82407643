import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { cookieHeader } from "../harness/cookies.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { makeSessionsStale, openRows } from "../harness/rows.ts";
import { enableApp } from "../harness/second-factor.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  isSessionToken,
  password,
  readSession,
  type SessionView,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const application = "https://app.example.com/home";
const reason = "ticket 4711";
const own = { "x-latchkey-session": "own" };
const asPage = { accept: "text/html" };
const config = { ...serviceConfig, appURL: application } satisfies LatchkeyConfig;

const createLink = ({ browser }: Pick<TestUser, "browser">, userId: unknown, more: object = {}) =>
  callAdmin<{ url: string; expiresAt: string }>({ browser }, "/create-impersonation-link", {
    userId,
    reason,
    ...more,
  });

/** Opens a link as its browser does. */
const open = ({ browser }: Pick<TestUser, "browser">, url: string, headers = {}) =>
  browser.get(new URL(url).href.replace(/^.*(?=\/admin\/)/, ""), headers);

/** Copies a browser with its cookies. */
const copyOf = (system: System, { cookies }: BrowserLike): BrowserLike => {
  const browser = createBrowserLike(system.url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

const cookieNames = (browser: BrowserLike) =>
  ["session_token", "admin_session", "dont_remember"].filter((name) =>
    browser.cookies.get(`auth.${name}`),
  );

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, rows } = useSystem({ stores, config: { ...config, session: { updateAge: 0 } } });

  const admin = () => signUpAs(system, "admin");
  const userIdOf = async (browser: BrowserLike, headers = {}) => {
    const answer = await browser.get("/get-session", headers);
    return ((await answer.json()) as { user: { id: string } } | null)?.user.id;
  };

  /** Impersonates a new user by a link. */
  const impersonating = async () => {
    const [staff, target] = [await admin(), await signUp(system)];
    const { url } = (await createLink(staff, target.user.id)).body;
    expect((await open(staff, url)).status).toBe(302);
    return { staff, target };
  };

  describe("an impersonation link", () => {
    test("impersonates its user and leads to the application, with the reason in the records", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { status, body } = await createLink(staff, target.user.id);
      expect(status).toBe(200);
      expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
      expect(await userIdOf(staff.browser)).toBe(staff.user.id);
      const answer = await open(staff, body.url, asPage);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, application]);
      const started = await readSession(staff.browser);
      expect(started?.session).toMatchObject({
        userId: target.user.id,
        impersonatedBy: staff.user.id,
      });
      expect(
        await rows.query(
          "select actor_id, after->>'reason' as reason from identity.audit where action = 'session.impersonated' and subject_id = $1",
          started?.session.id,
        ),
      ).toEqual([{ actor_id: staff.user.id, reason }]);
      const listed = await callAdmin<{ sessions: SessionView[] }>(
        await admin(),
        "/list-user-sessions",
        { userId: target.user.id },
      );
      expect(listed.body.sessions).toContainEqual(
        expect.objectContaining({ id: started?.session.id, impersonationReason: reason }),
      );
      expect((await callAdmin(staff, "/stop-impersonating", {})).status).toBe(200);
      expect(await userIdOf(staff.browser)).toBe(staff.user.id);
    });

    test("is in the audit log with its user and reason, used or not", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      await createLink(staff, target.user.id, { reason: ` ${reason} ` });
      await createLink(staff, staff.user.id);
      expect(
        await rows.query(
          "select actor_id, subject_kind, subject_id, outcome, after->>'reason' as reason from identity.audit where action = 'impersonation-link.created' and actor_id = $1",
          staff.user.id,
        ),
      ).toEqual([
        {
          actor_id: staff.user.id,
          subject_kind: "user",
          subject_id: target.user.id,
          outcome: "success",
          reason,
        },
      ]);
    });

    test("is neither readable nor usable from the tables", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { url } = (await createLink(staff, target.user.id)).body;
      const token = new URL(url).searchParams.get("token") ?? "";
      const stored = await rows.query("select * from identity.verification");
      expect(token).toHaveLength(32);
      for (const text of [token, reason, target.user.id])
        expect(JSON.stringify(stored)).not.toContain(text);
    });

    test("works once for 16 concurrent requests", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { url } = (await createLink(staff, target.user.id)).body;
      const answers = await race(async () => {
        const browser = copyOf(system, staff.browser);
        return (await open({ browser }, url)).status;
      });
      expect(answers.toSorted()).toEqual([302, ...Array.from({ length: 15 }, () => 404)]);
      expect((await open(staff, url)).status).toBe(404);
    });

    /** Attack: a link that leaks from a log or a screen is opened in another browser. */
    test("opens nothing in another session, and still works in its own", async () => {
      const [staff, other, target] = [await admin(), await admin(), await signUp(system)];
      const { url } = (await createLink(staff, target.user.id)).body;
      expect(await readResponse(await open(other, url))).toEqual(
        errorResponse(
          403,
          "IMPERSONATION_LINK_OF_ANOTHER_SESSION",
          "Impersonation link of another session",
        ),
      );
      const nobody = { browser: createBrowserLike(system.url) };
      expect(await readResponse(await open(nobody, url))).toEqual(
        errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
      );
      expect((await open(staff, url)).status).toBe(302);
    });

    test("shows on a page why it does not work", async () => {
      const [staff, other, target] = [await admin(), await admin(), await signUp(system)];
      const titleOf = async (by: Pick<TestUser, "browser">, url: string) => {
        const answer = await open(by, url, asPage);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        return /<h1>(.*)<\/h1>/.exec(await answer.text())?.[1];
      };
      const { url } = (await createLink(staff, target.user.id)).body;
      expect(await titleOf(other, url)).toBe("Open this link in the other browser");
      await rows.query(
        "update identity.verification set expires_at = now() - interval '1 second' where identifier like 'impersonation:%'",
      );
      expect(await titleOf(staff, url)).toBe("This link has expired");
      const next = (await createLink(staff, target.user.id)).body;
      const spare = (await createLink(staff, target.user.id)).body;
      const elsewhere = { browser: copyOf(system, staff.browser) };
      expect((await open(elsewhere, next.url)).status).toBe(302);
      expect(await titleOf(staff, next.url)).toBe("This link cannot be used");
      expect(await titleOf(elsewhere, spare.url)).toBe("You are already signed in as another user");
    });

    test("checks the rules again when it is opened", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { url } = (await createLink(staff, target.user.id)).body;
      await callAdmin(await admin(), "/ban-user", { userId: target.user.id });
      expect((await open(staff, url)).status).toBe(403);
      expect(await createLink(staff, target.user.id)).toMatchObject({
        status: 403,
        body: { code: "BANNED_USER" },
      });
      expect(await userIdOf(staff.browser)).toBe(staff.user.id);
    });

    test.each([
      ["no reason", { reason: undefined }],
      ["an empty one", { reason: "" }],
      ["a blank one", { reason: "  \n " }],
      ["one that is too long", { reason: "a".repeat(501) }],
      ["one that is not text", { reason: ["ticket"] }],
      ["one with NUL", { reason: "a\0b" }],
    ])("is refused for %s", async (_what, more) => {
      const [staff, target] = [await admin(), await signUp(system)];
      expect(await createLink(staff, target.user.id, more)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      });
    });

    test.each(["", "a".repeat(65), "%00", "' or 1=1 --", "a&token=b"])(
      "is refused with the token %j",
      async (token) => {
        const staff = await admin();
        const path = `/admin/open-impersonation-link?token=${token}`;
        expect((await staff.browser.get(path)).status).toBeGreaterThanOrEqual(400);
        expect(await userIdOf(staff.browser)).toBe(staff.user.id);
      },
    );
  });

  describe("the admin's own session during an impersonation", () => {
    test("is used by pages of our origin that name it, for operations of every service", async () => {
      const { staff, target } = await impersonating();
      expect(await userIdOf(staff.browser, own)).toBe(staff.user.id);
      for (const path of ["/admin/list-users", "/admin/settings", "/admin/deliveries"]) {
        const statuses = [
          (await staff.browser.get(path, own)).status,
          (await staff.browser.get(path)).status,
        ];
        expect([path, ...statuses]).toEqual([path, 200, 403]);
      }
      expect(await userIdOf(staff.browser)).toBe(target.user.id);
    });

    test("is used without an Origin, which browsers leave out of a GET of the same origin", async () => {
      const { staff } = await impersonating();
      const headers = { ...own, cookie: cookieHeader(staff.browser.cookies) ?? "" };
      const answer = await fetch(`${system.url}/get-session`, { headers });
      expect(((await answer.json()) as { user: { id: string } }).user.id).toBe(staff.user.id);
    });

    /** Attack: the impersonated user's page, in the admin's browser, acts as the admin. */
    test.each([
      ["a trusted application", { origin: new URL(application).origin }],
      ["a foreign page", { origin: "https://evil.example.com" }],
      ["a sandboxed page", { origin: "null" }],
      ["a sibling site", { "sec-fetch-site": "same-site" }],
      ["another site", { "sec-fetch-site": "cross-site" }],
      ["an address that was typed", { "sec-fetch-site": "none" }],
    ])("is not used by %s", async (_who, headers) => {
      const { staff, target } = await impersonating();
      const answer = await staff.browser.get("/get-session", { ...own, ...headers });
      expect(((await answer.json()) as { user: { id: string } }).user.id).toBe(target.user.id);
    });

    test("cannot be named by a page of another origin after a preflight", async () => {
      const { origin } = new URL(application);
      const answer = await fetch(`${system.url}/get-session`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "GET",
          "access-control-request-headers": "content-type,x-latchkey-session",
        },
      });
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-headers")).toBe("content-type");
    });

    test("does not start a second impersonation", async () => {
      const { staff } = await impersonating();
      const { user } = await signUp(system);
      for (const path of ["/impersonate-user", "/create-impersonation-link"]) {
        const input = { userId: user.id, reason };
        expect(await readResponse(await staff.browser.post(`/admin${path}`, input, own))).toEqual(
          errorResponse(
            400,
            "YOU_ARE_ALREADY_IMPERSONATING_A_USER",
            "You are already impersonating a user",
          ),
        );
      }
    });

    test("is extended in its own cookie, and proven again there", async () => {
      const { staff, target } = await impersonating();
      const before = staff.browser.cookies.get("auth.session_token");
      const answer = await staff.browser.get("/get-session", own);
      expect(answer.headers.getSetCookie().map((line) => line.split("=")[0])).toEqual([
        "auth.admin_session",
      ]);
      const proof = { email: staff.email, password };
      expect((await staff.browser.post("/sign-in/email", proof, own)).status).toBe(200);
      expect(staff.browser.cookies.get("auth.session_token")).toBe(before);
      expect(await userIdOf(staff.browser)).toBe(target.user.id);
      expect(await userIdOf(staff.browser, own)).toBe(staff.user.id);
      expect((await callAdmin(staff, "/stop-impersonating", {})).status).toBe(200);
      expect(await userIdOf(staff.browser)).toBe(staff.user.id);
    });

    test("is the browser's again once the impersonation is over", async () => {
      const { staff, target } = await impersonating();
      await callAdmin(await admin(), "/revoke-user-sessions", { userId: target.user.id });
      expect(await userIdOf(staff.browser)).toBeUndefined();
      expect(await userIdOf(staff.browser, own)).toBe(staff.user.id);
      expect(cookieNames(staff.browser)).toEqual(["session_token"]);
      expect(await userIdOf(staff.browser)).toBe(staff.user.id);
    });

    /** Replies to concurrent requests arrive in any order, so the later one must not undo the return. */
    test("is the browser's again, whichever reply arrives last", async () => {
      const { staff, target } = await impersonating();
      await callAdmin(await admin(), "/revoke-user-sessions", { userId: target.user.id });
      const late = await copyOf(system, staff.browser).get("/get-session");
      expect([await late.json(), late.headers.getSetCookie()]).toEqual([null, []]);
    });

    test("ends with a sign-out, also after the impersonation is over", async () => {
      for (const isOver of [false, true]) {
        const { staff, target } = await impersonating();
        if (isOver) {
          await callAdmin(await admin(), "/revoke-user-sessions", { userId: target.user.id });
          await userIdOf(staff.browser);
        }
        const answer = await staff.browser.post("/sign-out", {}, own);
        expect(answer.status).toBe(200);
        expect(cookieNames(staff.browser)).toEqual([]);
        expect(await isSessionToken(system, staff.token)).toBe(false);
      }
    });

    test("ends with a sign-out, whoever it belongs to", async () => {
      const { staff } = await impersonating();
      const other = await admin();
      staff.browser.cookies.set("auth.admin_session", signValue(ring, `${other.token}:`));
      expect((await staff.browser.post("/sign-out", {}, own)).status).toBe(200);
      expect(await isSessionToken(system, other.token)).toBe(false);
    });

    /** Attack: another user's session is kept aside as that of the admin, and outlasts the sign-out. */
    test("never becomes that of another user, whose sign-in ends the impersonation", async () => {
      const { staff } = await impersonating();
      const impersonation = (await readSession(staff.browser))?.session;
      const other = await signUp(system);
      const credentials = { email: other.email, password };
      expect((await staff.browser.post("/sign-in/email", credentials, own)).status).toBe(200);
      expect(cookieNames(staff.browser)).toEqual(["session_token"]);
      expect(await isSessionToken(system, impersonation?.token ?? "")).toBe(false);
      expect(
        await rows.query(
          "select actor_id from identity.audit where action = 'session.impersonation-ended' and subject_id = $1",
          impersonation?.id,
        ),
      ).toEqual([{ actor_id: other.user.id }]);
      const began = (await readSession(staff.browser))?.session;
      expect(began?.userId).toBe(other.user.id);
      expect((await staff.browser.post("/sign-out", {}, own)).status).toBe(200);
      expect(await isSessionToken(system, began?.token ?? "")).toBe(false);
    });

    test("continues with the impersonation if a sign-in is cancelled before its second factor", async () => {
      const { staff, target } = await impersonating();
      const other = await signUp(system);
      const app = await enableApp(other);
      const credentials = { email: other.email, password };
      const waiting = await staff.browser.post("/sign-in/email", credentials, own);
      expect(await waiting.json()).toMatchObject({ twoFactorRedirect: true });
      const thief = createBrowserLike(system.url);
      thief.cookies.set("auth.two_factor", staff.browser.cookies.get("auth.two_factor") ?? "");
      expect((await staff.browser.post("/sign-out?challengeOnly=true", {}, own)).status).toBe(200);
      expect(staff.browser.cookies.get("auth.two_factor")).toBeUndefined();
      const code = { code: app.codeAt(0) };
      expect(
        (await readResponse(await thief.post("/two-factor/verify-totp", code))).body,
      ).toMatchObject({ code: "INVALID_TWO_FACTOR_COOKIE" });
      expect(await userIdOf(staff.browser)).toBe(target.user.id);
      expect(await userIdOf(staff.browser, own)).toBe(staff.user.id);
    });

    /** Attack: a user who signs in at a browser where an admin impersonated somebody continues as the admin. */
    test("is forgotten by a browser in which another user signs in", async () => {
      const { staff } = await impersonating();
      const other = await signUp(system);
      const parked = staff.browser.cookies.get("auth.admin_session") ?? "";
      const credentials = { email: other.email, password };
      expect((await staff.browser.post("/sign-in/email", credentials)).status).toBe(200);
      expect(cookieNames(staff.browser)).toEqual(["session_token"]);
      staff.browser.cookies.set("auth.admin_session", parked);
      expect(await userIdOf(staff.browser, own)).toBe(other.user.id);
    });

    test("is not used if it belongs to another admin", async () => {
      const { staff, target } = await impersonating();
      const { token } = await admin();
      staff.browser.cookies.set("auth.admin_session", signValue(ring, `${token}:`));
      expect(await userIdOf(staff.browser, own)).toBe(target.user.id);
    });

    test.each([
      ["an impersonation", (_: string, current: string) => signValue(ring, `${current}:`)],
      ["a token that opens nothing", () => signValue(ring, `${"A".repeat(32)}:`)],
      ["a token without a signature", (token: string) => `${token}:`],
    ])("is not used if %s is kept aside", async (_what, write) => {
      const { staff, target } = await impersonating();
      const current = (await readSession(staff.browser))?.session.token ?? "";
      staff.browser.cookies.set("auth.admin_session", write(staff.token, current));
      expect(await userIdOf(staff.browser, own)).toBe(target.user.id);
    });
  });
});

test("a link is created only in a strong session", async () => {
  const system = await startSystem({ stores: "postgres", config });
  const rows = openRows(system);
  const [staff, target] = [await signUpAs(system, "admin"), await signUp(system)];
  await makeSessionsStale(rows, staff.user.id);
  expect(await createLink(staff, target.user.id)).toMatchObject({
    status: 403,
    body: { code: "SESSION_IS_NOT_FRESH" },
  });
  await rows.close();
  await system.stop();
});
