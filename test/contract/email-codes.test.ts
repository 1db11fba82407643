import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { postInternal, serviceConfig, serviceHeaders } from "../harness/operations.ts";
import { readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, readSession, signUp } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    emailOTP: { enabled: true, changeEmail: { enabled: true } },
    emailVerification: { autoSignInAfterVerification: true, sendOnSignUp: false },
  },
});

const newBrowser = () => createBrowserLike(system.url);

/** Returns the code in a mail of this purpose to an address. */
const codeTo = async (email: string, subject: RegExp): Promise<string> => {
  const code = /\b\d{6}\b/;
  const { text } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && subject.test(mail.subject) && code.test(mail.text),
  );
  return code.exec(text)?.[0] ?? "";
};
const anySubject = /./;

const post = async (browser: BrowserLike, path: string, body: object) =>
  readResponse<Record<string, unknown>>(await browser.post(path, body));

const send = async (browser: BrowserLike, email: string, type: string) => {
  const response = await browser.post("/email-otp/send-verification-otp", { email, type });
  expect([response.status, await response.json()]).toEqual([200, { success: true }]);
  return response;
};

describe("a code for sign-in", () => {
  test("registers and signs in, in the browser that keeps a signed cookie", async () => {
    const email = newEmail();
    const browser = newBrowser();
    const response = await send(browser, email.toUpperCase(), "sign-in");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^auth\.email_otp=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const otp = await codeTo(email, anySubject);
    const { status, body } = await post(browser, "/sign-in/email-otp", { email, otp, name: "Ada" });
    expect([status, body]).toMatchObject([
      200,
      { token: expect.any(String), user: { email, emailVerified: true, name: "Ada" } },
    ]);
    expect(await readSession(browser)).toMatchObject({ user: { email } });
    const again = await post(newBrowser(), "/sign-in/email-otp", { email, otp });
    expect(again).toMatchObject({
      status: 400,
      body: { code: "INVALID_OTP", message: "Invalid OTP" },
    });
  });

  test("is in no row, event, mail subject or audit entry in clear text", async () => {
    const email = newEmail();
    await send(newBrowser(), email, "sign-in");
    const { subject, text } = await system.smtp.waitForMail(email);
    const otp = /\b\d{6}\b/.exec(text)?.[0] ?? "";
    expect(subject).not.toContain(otp);
    for (const table of ["identity.mailed_code", "identity.outbox", "identity.audit"]) {
      const stored = await rows.query(`select * from ${table}`);
      expect(JSON.stringify(stored)).not.toContain(`"${otp}"`);
    }
  });
});

test("a wrong code, a bad body and a foreign page get their errors", async () => {
  const email = newEmail();
  const browser = newBrowser();
  await send(browser, email, "sign-in");
  const refusals = [
    await post(browser, "/sign-in/email-otp", { email: "none", otp: "1" }),
    await post(browser, "/sign-in/email-otp", { email }),
    await post(browser, "/sign-in/email-otp", { email, otp: "no code" }),
    await post(browser, "/email-otp/send-verification-otp", { email, type: "other" }),
    await post(browser, "/email-otp/send-verification-otp", { email, type: "change-email" }),
    await post(browser, "/email-otp/reset-password", { email, otp: "1", password: "short" }),
    await post(browser, "/email-otp/reset-password", { email, otp: "1", password: "iloveyou" }),
    await post(browser, "/email-otp/request-email-change", { newEmail: email }),
  ];
  expect(refusals.map(({ status, body }) => [status, body["code"]])).toEqual([
    [400, "INVALID_EMAIL"],
    [400, "VALIDATION_ERROR"],
    [400, "INVALID_OTP"],
    [400, "VALIDATION_ERROR"],
    [400, "INVALID_OTP_TYPE"],
    [400, "PASSWORD_TOO_SHORT"],
    [400, "PASSWORD_COMPROMISED"],
    [401, "UNAUTHORIZED"],
  ]);
  const foreign = await fetch(`${system.url}/email-otp/send-verification-otp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: "https://evil.example",
      "sec-fetch-site": "cross-site",
    },
    body: JSON.stringify({ email, type: "sign-in" }),
  });
  expect(foreign.status).toBe(403);
});

test("a code verifies an address elsewhere, signs in and ends the password", async () => {
  const { email, browser } = await signUp(system);
  const elsewhere = newBrowser();
  await send(elsewhere, email, "email-verification");
  const otp = await codeTo(email, anySubject);
  const { body } = await post(elsewhere, "/email-otp/verify-email", { email, otp });
  expect(body).toMatchObject({
    status: true,
    token: expect.any(String),
    user: { email, emailVerified: true },
  });
  expect(await readSession(elsewhere)).toMatchObject({ user: { email } });
  expect(await readSession(browser)).toBeNull();
  expect((await post(newBrowser(), "/sign-in/email", { email, password })).status).toBe(401);
});

test("a code is checked, and then sets a password", async () => {
  const { email } = await signUp(system);
  await verifyAddress(rows, email);
  const browser = newBrowser();
  await post(browser, "/email-otp/request-password-reset", { email });
  const otp = await codeTo(email, anySubject);
  const checked = { email, otp, type: "forget-password" };
  expect(await post(browser, "/email-otp/check-verification-otp", checked)).toMatchObject({
    status: 200,
    body: { success: true },
  });
  const changed = "another horse battery";
  const reset = { email, otp, password: changed };
  expect((await post(browser, "/email-otp/reset-password", reset)).body).toEqual({ success: true });
  expect((await post(browser, "/email-otp/reset-password", reset)).status).toBe(400);
  const signedIn = await post(newBrowser(), "/sign-in/email", { email, password: changed });
  expect(signedIn.status).toBe(200);
});

test("codes of both addresses change the address, and the old one is told", async () => {
  const { email, browser } = await signUp(system);
  await verifyAddress(rows, email);
  const changed = newEmail();
  await send(browser, email, "email-verification");
  const otp = await codeTo(email, anySubject);
  await post(browser, "/email-otp/request-email-change", { newEmail: changed, otp });
  const next = await codeTo(changed, anySubject);
  const { body } = await post(browser, "/email-otp/change-email", { newEmail: changed, otp: next });
  expect(body).toEqual({ success: true });
  expect(await readSession(browser)).toMatchObject({
    user: { email: changed, emailVerified: true },
  });
  const { links } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some((link) => link.includes("/undo?")),
  );
  expect(links).toHaveLength(1);
});

test("a service creates a code that it sends itself, and others cannot", async () => {
  const email = newEmail();
  const path = "/email-otp/create-verification-otp";
  const url = `${system.urlOf("identity")}/internal${path}`;
  const input = { email, type: "sign-in" };
  const { authorization } = serviceHeaders;
  const created = await postInternal<{ otp: string }>(url, input, { authorization });
  expect((await postInternal(url, input, {})).status).toBe(403);
  expect((await post(newBrowser(), path, input)).status).toBe(404);
  const { otp } = created.body;
  expect((await post(newBrowser(), "/sign-in/email-otp", { email, otp })).status).toBe(200);
});
