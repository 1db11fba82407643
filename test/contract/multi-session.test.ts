import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { followLink } from "../harness/mailed-links.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, newEmail, password, signUp, signUpAs } from "../harness/users.ts";

expectNoLeaks("file");

const config = {
  ...serviceConfig,
  multiSession: { enabled: true, maximumSessions: 3 },
  session: { cookieCache: { enabled: true } },
  lastLoginMethod: { enabled: true },
  magicLink: { enabled: true },
  anonymous: { enabled: true },
} satisfies LatchkeyConfig;

interface Listed {
  session?: { id: string; token: string; userId: string };
  user: { id: string; email: string };
}

const invalid = errorResponse(401, "INVALID_SESSION_TOKEN", "Invalid session token");
const tooMany = errorResponse(
  403,
  "TOO_MANY_SESSIONS",
  "This browser has too many signed-in users. Sign one of them out first.",
);

const list = async (browser: BrowserLike) =>
  readResponse<Listed[]>(await browser.get("/multi-session/list-device-sessions"));
const emailsIn = async (browser: BrowserLike) =>
  (await list(browser)).body.map(({ user }) => user.email);
const activeEmail = async (browser: BrowserLike) =>
  (await readResponse<Listed | null>(await browser.get("/get-session"))).body?.user.email;
const handleOf = async (browser: BrowserLike, email: string) =>
  (await list(browser)).body.find(({ user }) => user.email === email)?.session?.token ?? "";
const signUpIn = async (browser: BrowserLike, email = newEmail()) => {
  const sent = await browser.post("/sign-up/email", { name: "Ada", email, password });
  return { email, ...(await readResponse<{ token: string; user: { id: string } }>(sent)) };
};
const slotsOf = ({ cookies }: BrowserLike) =>
  [...cookies.keys()].filter((name) => name.startsWith("auth.account_")).toSorted();
const post = async (browser: BrowserLike, path: string, body: object) =>
  readResponse(await browser.post(`/multi-session/${path}`, body));

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, rows, admin } = useSystem({ stores, replicas: 2, config });
  const newBrowser = () => createBrowserLike(system.url);

  /** A browser with users, the last one active. */
  const browserOf = async (count: number) => {
    const browser = newBrowser();
    const users: Awaited<ReturnType<typeof signUpIn>>[] = [];
    for (let index = 0; index < count; index += 1) users.push(await signUpIn(browser));
    return { browser, users, emails: users.map(({ email }) => email) };
  };

  const countActs = async (action: string, actorId?: string): Promise<number> => {
    const entries = await rows.query(
      "select 1 from identity.audit where action = $1 and coalesce(actor_id = $2, true)",
      action,
      actorId ?? null,
    );
    return entries.length;
  };

  test("several users are signed in, and the browser switches between them", async () => {
    const { browser, users, emails } = await browserOf(2);
    expect(slotsOf(browser)).toEqual(["auth.account_0", "auth.account_1"]);
    expect(await emailsIn(browser)).toEqual(emails.toReversed());
    expect(await activeEmail(browser)).toBe(emails[1]);
    const before = browser.cookies.get("auth.session_data");
    const sessionToken = await handleOf(browser, emails[0] ?? "");
    expect(sessionToken).toMatch(/^0\.[\w-]{43}$/);
    const switched = await post(browser, "set-active", { sessionToken });
    expect(switched).toMatchObject({
      status: 200,
      body: { session: { token: users[0]?.body.token }, user: { email: emails[0] } },
    });
    expect(browser.cookies.get("auth.session_data")).not.toBe(before);
    expect(await activeEmail(browser)).toBe(emails[0]);
    expect(await emailsIn(browser)).toEqual(emails);
    const token = users[1]?.body.token;
    expect((await post(browser, "set-active", { sessionToken: token })).status).toBe(200);
    expect(await countActs("session.switched", users[0]?.body.user.id)).toBe(1);
  });

  /** Attack: a list of tokens would let one user's script act as all others of the browser. */
  test("a list contains no token", async () => {
    const { browser, users } = await browserOf(2);
    const text = JSON.stringify((await list(browser)).body);
    for (const { body } of users) expect(text).not.toContain(body.token);
  });

  test("a user who signs in again replaces the former session of this browser only", async () => {
    const { browser, users, emails } = await browserOf(2);
    const [ada] = users;
    const elsewhere = newBrowser();
    await elsewhere.post("/sign-in/email", { email: ada?.email, password });
    await browser.post("/sign-in/email", { email: ada?.email, password });
    expect(slotsOf(browser)).toHaveLength(2);
    expect(await emailsIn(browser)).toEqual(emails);
    expect(await activeEmail(elsewhere)).toBe(ada?.email);
    const old = newBrowser();
    const answer = await old.get("/get-session", { authorization: `Bearer ${ada?.body.token}` });
    expect(await answer.json()).toBeNull();
  });

  test("one user more is refused before anything exists, a known one is not", async () => {
    const { browser, emails } = await browserOf(3);
    const email = newEmail();
    const sent = { name: "Ada", email, password };
    expect(await readResponse(await browser.post("/sign-up/email", sent))).toEqual(tooMany);
    expect((await signUp(system, { email })).user.id).toBeTruthy(); // nobody was registered
    const before = await countActs("session.created");
    const signIn = await browser.post("/sign-in/email", { email, password });
    expect(await readResponse(signIn)).toEqual(tooMany);
    expect(await countActs("session.created")).toBe(before);
    const again = await browser.post("/sign-in/email", { email: emails[0], password });
    expect(again.status).toBe(200);
    expect(await emailsIn(browser)).toHaveLength(3);
  });

  /** A guest that took the slot of a user would leave a session behind that nobody could end. */
  test("a guest takes no slot, and is handed over by a sign-in and by a switch", async () => {
    const { browser, users, emails } = await browserOf(2);
    const [ada, grace] = users.map(({ body }) => body.user.id);
    const startGuest = async () => {
      const sent = await browser.post("/sign-in/anonymous", {});
      return (await readResponse<{ user: { id: string } }>(sent)).body.user.id;
    };
    const linkedGuests = async () => {
      const entries = await rows.query(
        "select subject_id, after->>'guestId' as guest_id from identity.audit where action = 'user.guest-linked' and subject_id = any($1) order by id",
        [ada, grace],
      );
      return entries.map((entry) => [entry["subject_id"], entry["guest_id"]]);
    };
    const first = await startGuest();
    expect((await emailsIn(browser)).toSorted()).toEqual(emails.toSorted());
    const sessionToken = await handleOf(browser, emails[0] ?? "");
    expect((await post(browser, "set-active", { sessionToken })).status).toBe(200);
    expect(await activeEmail(browser)).toBe(emails[0]);
    expect(await linkedGuests()).toEqual([[ada, first]]);
    await signUpIn(browser);
    const second = await startGuest();
    const again = await browser.post("/sign-in/email", { email: emails[1], password });
    expect(again.status).toBe(200);
    expect(await linkedGuests()).toEqual([
      [ada, first],
      [grace, second],
    ]);
    expect(slotsOf(browser)).toHaveLength(3);
  });

  test("of sixteen sign-ins at once, as many succeed as slots are left", async () => {
    const { browser, emails } = await browserOf(1);
    const others = await Promise.all(Array.from({ length: 16 }, () => signUp(system)));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answers = await Promise.all(
      others.map(({ email }) => {
        const same = createBrowserLike(system.url);
        return same.post("/sign-in/email", { email, password }, { cookie });
      }),
    );
    const started = answers.filter(({ status }) => status === 200);
    expect(started).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(14);
    for (const answer of started)
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (name.startsWith("auth.account_")) browser.cookies.set(name, value);
      }
    expect(slotsOf(browser)).toHaveLength(3);
    expect(await emailsIn(browser)).toHaveLength(3);
    expect(await activeEmail(browser)).toBe(emails[0]);
  });

  test("one user is signed out, and another one becomes active", async () => {
    const { browser, emails } = await browserOf(3);
    const [first = "", second = "", third = ""] = emails;
    const revoke = async (email: string) =>
      post(browser, "revoke", { sessionToken: await handleOf(browser, email) });
    expect(await revoke(first)).toMatchObject({ status: 200, body: { status: true } });
    expect(await activeEmail(browser)).toBe(third);
    expect(await emailsIn(browser)).toEqual([third, second]);
    await revoke(third);
    expect(await activeEmail(browser)).toBe(second);
    await revoke(second);
    expect(await activeEmail(browser)).toBeUndefined();
    expect(slotsOf(browser)).toEqual([]);
    // The slots that were left are free at once.
    expect((await signUpIn(browser)).status).toBe(200);
  });

  test("a sign-out ends all sessions, or only the active one", async () => {
    const { browser, emails, users } = await browserOf(3);
    const current = await browser.post("/sign-out", { scope: "current" });
    expect(await readResponse(current)).toMatchObject({ status: 200, body: { success: true } });
    expect(await activeEmail(browser)).toBe(emails[0]);
    expect(slotsOf(browser)).toHaveLength(2);
    await browser.post("/sign-out");
    expect(browser.cookies.size).toBe(1); // the way of the last sign-in stays
    for (const { body } of users) {
      const authorization = `Bearer ${body.token}`;
      expect(await (await newBrowser().get("/get-session", { authorization })).json()).toBeNull();
    }
  });

  /** Attack: a copied cookie would show the later name and address of its user, after the session has ended. */
  test("an ended session shows nothing of its user, and cannot be switched to", async () => {
    const { browser, users, emails } = await browserOf(2);
    const sessionToken = await handleOf(browser, emails[0] ?? "");
    await callAdmin(admin, "/ban-user", { userId: users[0]?.body.user.id });
    expect(await emailsIn(browser)).toEqual([emails[1]]);
    expect(await post(browser, "set-active", { sessionToken })).toEqual(invalid);
    expect(await activeEmail(browser)).toBe(emails[1]);
  });

  /** Attack: another browser's cookies, handles and tokens, and forged ones. */
  test("only the browser's own cookies count", async () => {
    const mine = await browserOf(2);
    const other = await browserOf(2);
    const theirs = await handleOf(other.browser, other.emails[0] ?? "");
    const named = [theirs, other.users[0]?.body.token, "0.forged", "", "x".repeat(257), 7];
    for (const sessionToken of named) {
      for (const path of ["set-active", "revoke"]) {
        const { status } = await post(mine.browser, path, { sessionToken: sessionToken as string });
        expect([400, 401]).toContain(status);
      }
    }
    expect(await post(mine.browser, "set-active", { sessionToken: theirs })).toEqual(invalid);
    mine.browser.cookies.set("auth.account_2", `${other.users[0]?.body.token}.forged`);
    const raw = other.browser.cookies.get("auth.session_token") ?? "";
    mine.browser.cookies.set("auth.account_3", raw);
    expect(await emailsIn(mine.browser)).toEqual(mine.emails.toReversed());
    expect(await emailsIn(other.browser)).toEqual(other.emails.toReversed());
  });

  test("values of one name are tried in turn", async () => {
    const { browser, emails } = await browserOf(2);
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    const cookie = ["auth.account_0=forged", ...cookies].join("; ");
    const listed = await createBrowserLike(system.url).get("/multi-session/list-device-sessions", {
      cookie,
    });
    const body = (await listed.json()) as Listed[];
    expect(body.map(({ user }) => user.email)).toEqual(emails.toReversed());
  });

  test("cookies of better-auth are moved into slots", async () => {
    const { browser, users, emails } = await browserOf(2);
    const signed = browser.cookies.get("auth.session_token") ?? "";
    const name = `auth.session_token_multi-${users[1]?.body.token.toLowerCase()}`;
    for (const slot of slotsOf(browser)) browser.cookies.delete(slot);
    browser.cookies.set(name, signed);
    browser.cookies.delete("auth.session_data");
    browser.cookies.delete("auth.session_token");
    expect(await emailsIn(browser)).toEqual([emails[1]]);
    await browser.post("/sign-in/email", { email: emails[0], password });
    expect(browser.cookies.has(name)).toBe(false);
    expect(await emailsIn(browser)).toEqual(emails);
    expect(slotsOf(browser)).toHaveLength(2);
  });

  test("the slot of a session follows when it is replaced", async () => {
    const { browser, emails } = await browserOf(2);
    const changed = await browser.post("/change-password", {
      currentPassword: password,
      newPassword: "another correct horse",
      revokeOtherSessions: true,
    });
    expect(changed.status).toBe(200);
    expect(await emailsIn(browser)).toEqual(emails.toReversed());
    expect(await activeEmail(browser)).toBe(emails[1]);
  });

  test("a waiting second factor leaves the other users, and completes into its own slot", async () => {
    const ada = await signUp(system);
    const app = await enableApp(ada);
    const { browser, emails } = await browserOf(1);
    const begun = await browser.post("/sign-in/email", { email: ada.email, password });
    expect(await begun.json()).toMatchObject({ twoFactorRedirect: true });
    expect(await activeEmail(browser)).toBeUndefined();
    expect(await emailsIn(browser)).toEqual(emails);
    const passed = await browser.post("/two-factor/verify-totp", { code: app.codeAt(1) });
    expect(passed.status).toBe(200);
    expect(await emailsIn(browser)).toEqual([ada.email, ...emails]);
  });

  test("an impersonation has no slot, and nothing switches in it", async () => {
    const support = await signUpAs(system, "admin");
    const ada = await signUp(system);
    await signUpIn(support.browser);
    const token = await handleOf(support.browser, support.email);
    await post(support.browser, "set-active", { sessionToken: token });
    const started = await support.browser.post("/admin/impersonate-user", { userId: ada.user.id });
    expect(started.status).toBe(200);
    expect(await emailsIn(support.browser)).not.toContain(ada.email);
    const sessionToken = (await list(support.browser)).body[1]?.session?.token;
    for (const name of ["set-active", "revoke"])
      expect(await post(support.browser, name, { sessionToken })).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN" },
      });
    await support.browser.post("/admin/stop-impersonating");
    expect(await activeEmail(support.browser)).toBe(support.email);
    expect(await emailsIn(support.browser)).toHaveLength(2);
  });

  test("a mailed link tells its error page that the browser is full", async () => {
    const { browser } = await browserOf(3);
    const email = newEmail();
    await browser.post("/sign-in/magic-link", { email, callbackURL: "/home" });
    const isLink = (one: string) => one.includes("/magic-link/verify");
    const { links } = await system.smtp.waitForMail(
      (mail) => mail.to.includes(email) && mail.links.some(isLink),
    );
    const opened = await followLink(links.find(isLink) ?? "", { browser });
    expect(opened.headers["location"]).toBe(`${system.origin}/home?error=too_many_sessions`);
  });

  test("a page of another site switches nothing", async () => {
    const { browser, emails } = await browserOf(2);
    const sessionToken = await handleOf(browser, emails[0] ?? "");
    const answer = await browser.post(
      "/multi-session/set-active",
      { sessionToken },
      { origin: "https://evil.example" },
    );
    expect(await readResponse(answer)).toMatchObject({ status: 403 });
    expect(await activeEmail(browser)).toBe(emails[1]);
  });

  test("scripts read the way of the last sign-in", async () => {
    const browser = newBrowser();
    const sent = { name: "Ada", email: newEmail(), password };
    const answer = await browser.post("/sign-up/email", sent);
    const line = answer.headers
      .getSetCookie()
      .find((one) => one.startsWith("better-auth.last_used_login_method="));
    expect(line).toBe(
      "better-auth.last_used_login_method=email; Max-Age=2592000; Path=/; SameSite=Lax",
    );
    await browser.post("/sign-out");
    expect(browser.cookies.get("better-auth.last_used_login_method")).toBe("email");
  });
});

describe("by default", () => {
  const { system } = useSystem({ stores: "postgres" });

  test("a browser holds one user, and no path of several is there", async () => {
    const browser = createBrowserLike(system.url);
    await signUpIn(browser);
    expect([...browser.cookies.keys()]).toEqual(["auth.session_token"]);
    for (const path of ["set-active", "revoke"])
      expect((await browser.post(`/multi-session/${path}`, { sessionToken: "x" })).status).toBe(
        404,
      );
    expect((await list(browser)).status).toBe(404);
  });
});
