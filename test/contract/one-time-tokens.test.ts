import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { clientWithKey, createKey, keySessionConfig } from "../harness/api-keys.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { sessionStores } from "../harness/matrix.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { enableApp } from "../harness/second-factor.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  isSessionToken,
  password,
  readSession,
  type SessionView,
  setRole,
  signInElsewhere,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";

expectNoLeaks("file");

const site = "https://app.other.example";
const page = `${site}/signed-in`;
const partner = "https://partner.example";
const config = {
  trustedOrigins: [site, partner, "myapp://"],
  oneTimeToken: { callbackURLs: [page] },
  anonymous: { enabled: true },
  twoFactor: { required: { roles: ["auditor"] } },
  admin: { roles: { user: {}, admin: { user: ["ban", "delete", "impersonate"] }, auditor: {} } },
} satisfies LatchkeyConfig;

interface Exchanged {
  session: SessionView;
  user: { id: string };
}

const invalid = errorResponse(400, "INVALID_TOKEN", "Invalid token");

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  // Two replicas of each service, behind one address.
  const options = keySessionConfig({}, config);
  const { system, rows } = useSystem({ stores, replicas: 2, config: options });

  const returnTo = ({ get }: BrowserLike, target = page) =>
    get(`/one-time-token/return?callbackURL=${encodeURIComponent(target)}`);

  const locationOf = async (browser: BrowserLike, target?: string): Promise<URL> =>
    new URL((await returnTo(browser, target)).headers.get("location") ?? "");

  /** Returns a token for the other site, as its page receives it. */
  const tokenFor = async ({ browser }: Pick<TestUser, "browser">): Promise<string> =>
    (await locationOf(browser)).searchParams.get("one_time_token") ?? "";

  const generate = (browser: BrowserLike, callbackURL = page) =>
    browser.get(`/one-time-token/generate?callbackURL=${encodeURIComponent(callbackURL)}`);

  /** Exchanges a token as the server of an application does. */
  const post = (token: unknown, headers: Record<string, string> = { origin: site }) =>
    fetch(`${system.url}/one-time-token/verify`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ token }),
    });
  const exchange = async (token: unknown, headers?: Record<string, string>) =>
    readResponse<Exchanged>(await post(token, headers));

  const expireAll = () =>
    rows.query(
      "update identity.verification set expires_at = now() - interval '1 second' where identifier like 'one-time-token:%'",
    );

  describe("the way back to another site", () => {
    test("carries a token, which its server exchanges for the same session", async () => {
      const ada = await signUp(system);
      const answer = await returnTo(ada.browser, `${page}?state=a%26b#top`);
      const location = new URL(answer.headers.get("location") ?? "");
      const token = location.searchParams.get("one_time_token") ?? "";
      expect(token).toMatch(/^[\w-]{43}$/);
      expect([answer.status, location.href]).toEqual([
        302,
        `${page}?state=a%26b&one_time_token=${token}#top`,
      ]);
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const reply = await post(token);
      const { session: shown, user } = (await reply.json()) as Exchanged;
      expect(shown).toMatchObject({ token: ada.token, userId: ada.user.id });
      expect(user).toMatchObject({ id: ada.user.id, email: ada.email });
      expect(reply.headers.get("set-auth-token")).toContain(ada.token);
      expect(reply.headers.getSetCookie().join()).toContain("auth.session_token=");
      expect(await readSession(ada.browser)).toMatchObject({ session: { id: shown.id } });
    });

    test("begins at the account web, whose way back leads here for listed pages alone", async () => {
      const back = async (target: string) => {
        const url = `${system.origin}/account/return?redirect_to=${encodeURIComponent(target)}`;
        const answer = await fetch(url, { redirect: "manual" });
        return answer.headers.get("location");
      };
      const listed = `${page}?state=a`;
      expect(await back(listed)).toBe(
        `/api/auth/one-time-token/return?callbackURL=${encodeURIComponent(listed)}`,
      );
      for (const other of [site, `${page}/more`, `${partner}/signed-in`])
        expect(await back(other)).toBe(other);
    });

    test("replaces what its address already says about an outcome", async () => {
      const { browser } = await signUp(system);
      const { searchParams } = await locationOf(browser, `${page}?one_time_token=a&error=b`);
      expect([...searchParams.keys()]).toEqual(["one_time_token"]);
      expect(searchParams.get("one_time_token")).toHaveLength(43);
    });

    test("tells a page that nobody is signed in", async () => {
      const { href } = await locationOf(createBrowserLike(system.url), `${page}?state=a`);
      expect(href).toBe(`${page}?state=a&error=unauthorized`);
    });

    /** Attack: a page of a trusted origin that redirects anywhere, or shows its address to others, would pass the token on. */
    test.each([
      site,
      `${site}/`,
      `${page}/`,
      `${page}/../elsewhere`,
      `${site}/redirect?to=https://evil.example`,
      "http://app.other.example/signed-in",
      "https://app.other.example:8443/signed-in",
      `${partner}/signed-in`,
      "/signed-in",
      "myapp://signed-in",
      "https://evil.example/signed-in",
      "",
    ])("does not lead to %j", async (target) => {
      const { browser } = await signUp(system);
      const answer = await readResponse(await returnTo(browser, target));
      expect(answer).toEqual(errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"));
    });
  });

  describe("a token", () => {
    test("is exchanged once by 16 concurrent callers at two replicas", async () => {
      const ada = await signUp(system);
      const token = await tokenFor(ada);
      const answers = await race(async () => (await post(token)).status);
      expect(answers.toSorted()).toEqual([200, ...Array.from({ length: 15 }, () => 400)]);
      expect(await exchange(token)).toEqual(invalid);
      expect(
        await rows.query(
          "select actor_id, subject_kind, after from identity.audit where action = 'session.handed-over' and actor_id = $1",
          ada.user.id,
        ),
      ).toEqual([
        {
          actor_id: ada.user.id,
          subject_kind: "session",
          after: { userId: ada.user.id, origin: site },
        },
      ]);
    });

    /** Attack: a token that leaked from one application is presented in another. */
    test.each([
      ["another trusted origin", { origin: partner }],
      ["no origin", {}],
      ["an untrusted origin", { origin: "https://evil.example" }],
      ["another scheme", { origin: "http://app.other.example" }],
    ])("is refused from %s, and stays usable", async (_what, headers) => {
      const token = await tokenFor(await signUp(system));
      expect(await exchange(token, headers)).toEqual(invalid);
      expect((await exchange(token)).status).toBe(200);
    });

    test("is refused when it has expired", async () => {
      const token = await tokenFor(await signUp(system));
      await expireAll();
      expect(await exchange(token)).toEqual(invalid);
    });

    test("is neither readable nor usable from the tables", async () => {
      const ada = await signUp(system);
      const token = await tokenFor(ada);
      const stored = JSON.stringify(
        await rows.query("select * from identity.verification where value = $1", ada.user.id),
      );
      expect(stored).toContain("one-time-token:");
      for (const text of [token, ada.token]) expect(stored).not.toContain(text);
    });

    const endings: [what: string, end: (ada: TestUser) => Promise<unknown>][] = [
      ["signs out", ({ browser }) => browser.post("/sign-out")],
      [
        "revokes the session elsewhere",
        async (ada) => {
          const { browser } = await signInElsewhere(system, ada);
          await browser.post("/revoke-other-sessions");
        },
      ],
      [
        "changes the password and keeps the session",
        ({ browser }) =>
          browser.post("/change-password", {
            currentPassword: password,
            newPassword: "another horse battery",
          }),
      ],
      ["turns a second factor on", (ada) => enableApp(ada)],
      ["must have a second factor", ({ user }) => setRole(system, user.id, "auditor")],
      [
        "is banned",
        async ({ user }) =>
          callAdmin(await signUpAs(system, "admin"), "/ban-user", { userId: user.id }),
      ],
      [
        "is deleted",
        async ({ user }) =>
          callAdmin(await signUpAs(system, "admin"), "/remove-user", { userId: user.id }),
      ],
    ];
    test.each(endings)("is void once its user %s", async (_what, end) => {
      const ada = await signUp(system);
      const token = await tokenFor(ada);
      await end(ada);
      expect(await exchange(token)).toEqual(invalid);
    });

    test("gives a session that ends everywhere when it ends in one place, and is listed once", async () => {
      const ada = await signUp(system);
      const { token } = (await exchange(await tokenFor(ada))).body.session;
      const listed = await ada.browser.get("/list-sessions");
      expect(await listed.json()).toHaveLength(1);
      await fetch(`${system.url}/sign-out`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await readSession(ada.browser)).toBeNull();
      expect(await isSessionToken(system, token)).toBe(false);
    });

    /** Attack: a token makes an unremembered or weak session stronger. */
    test("changes nothing about its session", async () => {
      const { email } = await signUp(system);
      const ada = await signInElsewhere(system, { email }, { rememberMe: false });
      const read = () =>
        rows.query(
          "select remembered, authenticated_at, second_factor_at, methods, expires_at, updated_at from identity.session where user_id = (select id from identity.user where email = $1) and not remembered",
          email,
        );
      const before = await read();
      const reply = await post(await tokenFor(ada));
      expect(await read()).toEqual(before);
      const cookie = reply.headers.getSetCookie().find((one) => one.includes("session_token="));
      expect(cookie).not.toContain("Max-Age");
    });

    test.each([[""], ["a".repeat(129)], [5], [null], [["a"]], ["a\0b"]])(
      "is refused as %j",
      async (token) => {
        expect(await exchange(token)).toMatchObject({
          status: 400,
          body: { code: "VALIDATION_ERROR" },
        });
      },
    );

    test.each(["a", "a".repeat(43), "' or 1=1 --", "%"])("is not found as %j", async (token) => {
      expect(await exchange(token)).toEqual(invalid);
    });

    /** Attack: a form of a foreign page signs a victim's browser in as the attacker. */
    test("is refused from a form and from a foreign page", async () => {
      const { browser } = await signUp(system);
      const own = await browser.get("/one-time-token/generate");
      const { token } = (await own.json()) as { token: string };
      const form = await fetch(`${system.url}/one-time-token/verify`, {
        method: "POST",
        headers: { origin: system.origin, "content-type": "application/x-www-form-urlencoded" },
        body: `token=${token}`,
      });
      expect(form.status).toBe(400);
      const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      expect((await exchange(token, foreign)).status).toBe(403);
      expect((await exchange(token, {})).status).toBe(200);
    });
  });

  describe("a token that a client requests", () => {
    test("is for the origin of its callback, or else for our own", async () => {
      const { browser } = await signUp(system);
      const tokenOf = async (answer: Response) =>
        ((await answer.json()) as { token: string }).token;
      const forSite = await tokenOf(await generate(browser, `${site}/anything`));
      const own = await tokenOf(await browser.get("/one-time-token/generate"));
      const ofPath = await tokenOf(await generate(browser, "/home"));
      expect((await exchange(own)).status).toBe(400);
      expect((await exchange(forSite, {})).status).toBe(400);
      expect((await exchange(forSite)).status).toBe(200);
      expect((await exchange(own, {})).status).toBe(200);
      expect((await exchange(ofPath, { origin: system.origin })).status).toBe(200);
    });

    test.each(["https://evil.example/", "myapp://home", "//evil.example"])(
      "is refused for %s",
      async (callbackURL) => {
        const { browser } = await signUp(system);
        expect(await readResponse(await generate(browser, callbackURL))).toEqual(
          errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
        );
      },
    );

    test("needs a session", async () => {
      expect((await generate(createBrowserLike(system.url))).status).toBe(401);
    });
  });

  /** Attack: a borrowed session becomes one that outlasts it. */
  describe("a borrowed session", () => {
    test("of an impersonation gives no token", async () => {
      const [staff, ada] = [await signUpAs(system, "admin"), await signUp(system)];
      await callAdmin(staff, "/impersonate-user", { userId: ada.user.id });
      expect((await generate(staff.browser)).status).toBe(403);
      expect((await locationOf(staff.browser)).href).toBe(`${page}?error=forbidden`);
    });

    test("of an API key gives no token", async () => {
      const { key } = await createKey(await signUp(system));
      const { browser } = clientWithKey(system, key);
      expect((await generate(browser)).status).toBe(403);
      expect((await locationOf(browser)).href).toBe(`${page}?error=unauthorized`);
    });
  });

  test("an exchange in the session of a guest hands it over, and makes no guest another one", async () => {
    const newGuest = async () => {
      const browser = createBrowserLike(system.url);
      const answer = await browser.post("/sign-in/anonymous");
      const { body } = await readResponse<{ token: string; user: { id: string } }>(answer);
      return { browser, ...body };
    };
    const [guest, other] = [await newGuest(), await newGuest()];
    const headers = { origin: site, authorization: `Bearer ${guest.token}` };
    const ofGuest = await readResponse<{ token: string }>(await generate(other.browser));
    expect(await exchange(ofGuest.body.token, headers)).toEqual(invalid);
    const ada = await signUp(system);
    expect((await exchange(await tokenFor(ada), headers)).status).toBe(200);
    const linked = await rows.query(
      "select subject_id, after ->> 'guestId' as guest_id from identity.audit where action = 'user.guest-linked'",
    );
    expect(linked).toEqual([{ subject_id: ada.user.id, guest_id: guest.user.id }]);
    expect(await readSession(guest.browser)).toBeNull();
    expect(await readSession(other.browser)).toMatchObject({ user: { id: other.user.id } });
  });

  test("an exchange in the browser of an impersonation ends it", async () => {
    const [staff, ada] = [await signUpAs(system, "admin"), await signUp(system)];
    await callAdmin(staff, "/impersonate-user", { userId: ada.user.id });
    const grace = await signUp(system);
    const own = await grace.browser.get("/one-time-token/generate");
    const answer = await staff.browser.post("/one-time-token/verify", await own.json());
    expect(answer.status).toBe(200);
    expect((await readSession(staff.browser))?.user.id).toBe(grace.user.id);
    expect((await callAdmin(staff, "/stop-impersonating", {})).status).toBe(400);
  });
});

test("nothing is offered while the option is off", async () => {
  const off = await startSystem({
    stores: "postgres",
    config: { ...config, oneTimeToken: { ...config.oneTimeToken, enabled: false } },
  });
  try {
    const { browser } = await signUp(off);
    const query = `callbackURL=${encodeURIComponent(page)}`;
    expect((await browser.get(`/one-time-token/generate?${query}`)).status).toBe(404);
    expect((await browser.get(`/one-time-token/return?${query}`)).status).toBe(404);
    expect((await browser.post("/one-time-token/verify", { token: "a" })).status).toBe(404);
    const back = `${off.origin}/account/return?redirect_to=${encodeURIComponent(page)}`;
    const { headers } = await fetch(back, { redirect: "manual" });
    expect(headers.get("location")).toBe(page);
  } finally {
    await off.stop();
  }
});
