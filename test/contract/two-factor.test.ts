import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { appOf, beginChallenge, enableApp, prepareApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, setRole, signUp, signUpAs, type TestUser, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

const config: LatchkeyConfig = {
  ...serviceConfig,
  session: { cookieCache: { enabled: true } },
  twoFactor: { required: { roles: ["auditor"] } },
  admin: { roles: { user: {}, admin: { user: ["list", "impersonate"] }, auditor: {} } },
};

const { system, rows } = useSystem({ stores: "postgres", config });

const invalidChallenge = errorResponse(
  401,
  "INVALID_TWO_FACTOR_COOKIE",
  "Invalid two factor cookie",
);

interface Shown {
  token?: string;
  user?: { twoFactorEnabled?: boolean };
}

const sessionOf = async (browser: TestUser["browser"], query = "") =>
  (await (await browser.get(`/get-session${query}`)).json()) as {
    user: { twoFactorEnabled: boolean };
    session: { id: string; token: string; expiresAt: string };
  } | null;

const statusOf = async (browser: TestUser["browser"]) =>
  (await (await browser.get("/two-factor/status")).json()) as Record<string, unknown> & {
    session: { methods: string[]; secondFactorAt: string | null };
  };

const mailedCode = async (email: string): Promise<string> => {
  const mail = await system.smtp.waitForMail(
    ({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text),
  );
  return /\b\d{6}\b/.exec(mail.text)?.[0] ?? "";
};

describe("an authenticator app", () => {
  test("is turned on by its first code, which replaces the session and ends all others", async () => {
    const person = await signUp(system);
    expect(await statusOf(person.browser)).toMatchObject({
      methods: [],
      available: ["totp", "otp"],
    });
    const { browser: elsewhere } = await trySignIn(system, person.email);
    const app = await prepareApp(person);
    expect(app.backupCodes).toHaveLength(10);
    for (const code of app.backupCodes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    expect((await sessionOf(person.browser))?.user.twoFactorEnabled).toBe(false);
    expect((await trySignIn(system, person.email)).body).toHaveProperty("token");
    const code = app.codeAt(0);
    const verified = await readResponse<Shown>(
      await person.browser.post("/two-factor/verify-totp", { code }),
    );
    expect(verified).toMatchObject({ status: 200, body: { user: { twoFactorEnabled: true } } });
    const now = await sessionOf(person.browser);
    expect(now?.session.token).toBe(verified.body.token);
    expect(verified.body.token).not.toBe(person.token);
    expect(now?.user.twoFactorEnabled).toBe(true);
    expect(await statusOf(person.browser)).toMatchObject({ methods: ["totp"], available: [] });
    expect(await sessionOf(elsewhere)).toBeNull();
  });

  test("is asked for after the password, and nothing opens a session before it", async () => {
    const person = await signUp(system);
    const app = await enableApp(person);
    const browser = createBrowserLike(system.url);
    const body = { email: person.email, password, callbackURL: "/home" };
    const response = await browser.post("/sign-in/email", body);
    expect(await response.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
    expect(response.headers.get("set-auth-token")).toBeNull();
    expect(response.headers.get("set-auth-jwt")).toBeNull();
    expect(response.headers.get("location")).toBeNull();
    expect([...browser.cookies.keys()]).toEqual(["auth.two_factor"]);
    expect(await sessionOf(browser)).toBeNull();
    expect((await browser.get("/list-sessions")).status).toBe(401);
    expect((await browser.post("/two-factor/disable", { password })).status).toBe(401);
    const wrong = await browser.post("/two-factor/verify-totp", { code: "" });
    expect(await readResponse(wrong)).toMatchObject(
      errorResponse(401, "INVALID_CODE", "Invalid code"),
    );
    const passed = await browser.post("/two-factor/verify-totp", { code: app.codeAt(0) });
    const { token } = (await passed.json()) as Shown;
    expect(passed.headers.get("set-auth-token")).toContain(token);
    expect(browser.cookies.has("auth.two_factor")).toBe(false);
    expect((await sessionOf(browser))?.session.token).toBe(token);
    expect((await statusOf(browser)).session.methods).toEqual(["password", "totp"]);
    const again = await beginChallenge(system, person);
    const reused = await again.post("/two-factor/verify-totp", { code: app.codeAt(0) });
    expect(reused.status).toBe(401);
  });

  test("is used without cookies, by headers", async () => {
    const person = await signUp(system);
    const app = await enableApp(person);
    const headers = { "content-type": "application/json" };
    const signIn = await fetch(`${system.url}/sign-in/email`, {
      method: "POST",
      headers,
      body: JSON.stringify({ email: person.email, password }),
    });
    const challenge = signIn.headers.get("set-two-factor") ?? "";
    const verify = (sent: string) =>
      fetch(`${system.url}/two-factor/verify-totp`, {
        method: "POST",
        headers: { ...headers, "x-two-factor": sent },
        body: JSON.stringify({ code: app.codeAt(0) }),
      });
    expect(await readResponse(await verify(`x${challenge}`))).toMatchObject(invalidChallenge);
    const passed = await verify(challenge);
    const bearer = passed.headers.get("set-auth-token") ?? "";
    const session = await fetch(`${system.url}/get-session`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(await session.json()).toMatchObject({ user: { id: person.user.id } });
    expect(await readResponse(await verify(challenge))).toMatchObject(invalidChallenge);
  });

  test("can be turned off and shown only by a session that has shown it", async () => {
    const person = await signUp(system);
    const { backupCodes } = await enableApp(person);
    await rows.query(
      "update identity.session set second_factor_at = null where user_id = $1",
      person.user.id,
    );
    for (const path of ["disable", "get-totp-uri", "generate-backup-codes"]) {
      const refused = await person.browser.post(`/two-factor/${path}`, { password });
      expect(await refused.json()).toMatchObject({
        code: "SESSION_IS_NOT_FRESH",
        details: { requires: "second-factor" },
      });
    }
    const [code] = backupCodes;
    expect((await person.browser.post("/two-factor/verify-backup-code", { code })).status).toBe(
      200,
    );
    const wrong = await person.browser.post("/two-factor/disable", { password: "wrong horse" });
    expect(await readResponse(wrong)).toMatchObject(
      errorResponse(400, "INVALID_PASSWORD", "Invalid password"),
    );
    const before = await sessionOf(person.browser);
    expect((await person.browser.post("/two-factor/disable", { password })).status).toBe(200);
    const now = await sessionOf(person.browser);
    expect(now?.user.twoFactorEnabled).toBe(false);
    expect(now?.session.token).not.toBe(before?.session.token);
    expect(now?.session.expiresAt).toBe(before?.session.expiresAt);
    expect((await trySignIn(system, person.email)).body).toHaveProperty("token");
  });

  test("is replaced by means of a code of the present one, which works until then", async () => {
    const person = await signUp(system);
    const old = await enableApp(person);
    const refused = await person.browser.post("/two-factor/enable", { password });
    expect(await refused.json()).toMatchObject({ code: "TOTP_ALREADY_ENABLED" });
    const [code] = old.backupCodes;
    const enabled = await person.browser.post("/two-factor/enable", { password, code });
    const { totpURI } = (await enabled.json()) as { totpURI: string };
    const step = await person.browser.post("/two-factor/verify-totp", { code: old.codeAt(0) });
    expect(step.status).toBe(200);
    const next = appOf(totpURI);
    const confirmed = await person.browser.post("/two-factor/verify-totp", {
      code: next.codeAt(0),
    });
    expect(confirmed.status).toBe(200);
    const browser = await beginChallenge(system, person);
    const former = await browser.post("/two-factor/verify-totp", { code: old.codeAt(1) });
    expect(former.status).toBe(401);
    const present = await browser.post("/two-factor/verify-totp", { code: next.codeAt(1) });
    expect(present.status).toBe(200);
  });
});

test("a mailed code turns codes by mail on, and passes a sign-in", async () => {
  const person = await signUp(system);
  expect((await person.browser.post("/two-factor/send-otp")).status).toBe(200);
  const code = await mailedCode(person.email);
  const on = await person.browser.post("/two-factor/verify-otp", { code });
  const turnedOn = (await on.json()) as { backupCodes: string[] };
  expect(turnedOn).toMatchObject({ user: { twoFactorEnabled: true } });
  const [backupCode = ""] = turnedOn.backupCodes;
  const withoutMail = await beginChallenge(system, person);
  const byBackupCode = await withoutMail.post("/two-factor/verify-backup-code", {
    code: backupCode,
  });
  expect(byBackupCode.status).toBe(200);
  expect(await statusOf(person.browser)).toMatchObject({ methods: ["otp"], available: ["totp"] });
  system.smtp.mails.splice(0);
  const browser = await beginChallenge(system, person, { rememberMe: false });
  expect((await browser.post("/two-factor/send-otp")).status).toBe(200);
  const second = await mailedCode(person.email);
  const passed = await browser.post("/two-factor/verify-otp", { code: second });
  expect(passed.status).toBe(200);
  expect(browser.cookies.has("auth.dont_remember")).toBe(true);
});

test("a trusted browser is not asked, until the trust is revoked", async () => {
  const person = await signUp(system);
  const { backupCodes } = await enableApp(person);
  const browser = await beginChallenge(system, person);
  const body = { code: backupCodes[0], trustDevice: true };
  expect((await browser.post("/two-factor/verify-backup-code", body)).status).toBe(200);
  const first = browser.cookies.get("auth.trust_device");
  expect((await browser.post("/sign-out")).status).toBe(200);
  const credentials = { email: person.email, password };
  expect(await (await browser.post("/sign-in/email", credentials)).json()).toHaveProperty("token");
  expect(browser.cookies.get("auth.trust_device")).not.toBe(first);
  expect((await statusOf(browser)).session.methods).toEqual(["password", "trusted-device"]);
  const listed = await browser.get("/two-factor/list-trusted-devices");
  expect(await listed.json()).toMatchObject([{ current: true }]);
  expect((await browser.post("/revoke-sessions")).status).toBe(200);
  const answer = await browser.post("/sign-in/email", credentials);
  expect(await answer.json()).toHaveProperty("twoFactorRedirect");
  expect(browser.cookies.has("auth.trust_device")).toBe(false);
});

test.each([
  ["sign-out", (_person: TestUser, browser: TestUser["browser"]) => browser.post("/sign-out")],
  [
    "a change of the password",
    ({ browser }: TestUser) =>
      browser.post("/change-password", {
        currentPassword: password,
        newPassword: "another battery",
      }),
  ],
  ["the end of all sessions", ({ browser }: TestUser) => browser.post("/revoke-sessions")],
])("%s ends a waiting sign-in", async (_what, act) => {
  const person = await signUp(system);
  const app = await enableApp(person);
  const browser = await beginChallenge(system, person);
  const challenge = browser.cookies.get("auth.two_factor") ?? "";
  expect((await act(person, browser)).status).toBe(200);
  browser.cookies.set("auth.two_factor", challenge);
  const late = await browser.post("/two-factor/verify-totp", { code: app.codeAt(0) });
  expect(await readResponse(late)).toMatchObject(invalidChallenge);
});

test("an impersonation changes no second factor, and does not pass one", async () => {
  const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
  const { backupCodes } = await enableApp(person);
  await admin.browser.post("/admin/impersonate-user", { userId: person.user.id });
  const calls = [
    ["enable", { password }],
    ["disable", { password }],
    ["send-otp", {}],
    ["verify-backup-code", { code: backupCodes[0] }],
    ["revoke-trusted-devices", {}],
  ] as const;
  for (const [path, body] of calls) {
    const { status } = await admin.browser.post(`/two-factor/${path}`, body);
    expect([path, status]).toEqual([path, 403]);
  }
  expect((await statusOf(admin.browser)).session.secondFactorAt).toBeNull();
});

test("a user of whom a second factor is required sets one up in the sign-in", async () => {
  const person = await signUp(system);
  await setRole(system, person.user.id, "auditor");
  expect(await sessionOf(person.browser, "?disableCookieCache=true")).toBeNull();
  const { browser, body } = await trySignIn(system, person.email);
  expect(body).toEqual({
    twoFactorRedirect: true,
    twoFactorMethods: [],
    twoFactorEnrolment: true,
  });
  expect(await sessionOf(browser)).toBeNull();
  const enabled = await browser.post("/two-factor/enable", {});
  const { totpURI } = (await enabled.json()) as { totpURI: string };
  const code = appOf(totpURI).codeAt(0);
  expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
  expect((await sessionOf(browser))?.user.twoFactorEnabled).toBe(true);
  const refused = await browser.post("/two-factor/disable", { password });
  expect(await refused.json()).toMatchObject({ code: "TWO_FACTOR_REQUIRED" });
});

test("no store contains a secret or code in clear", async () => {
  const person = await signUp(system);
  const { backupCodes } = await enableApp(person);
  const tables = [
    "two_factor",
    "backup_code",
    "sign_in_challenge",
    "two_factor_code",
    "audit",
    "outbox",
  ];
  for (const table of tables) {
    const stored = await rows.query(`select t::text as text from identity.${table} t`);
    const text = stored.map((row) => String(row["text"])).join("\n");
    for (const code of backupCodes) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(code.replace("-", ""));
    }
  }
});
