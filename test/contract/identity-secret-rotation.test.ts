import { randomBytes } from "node:crypto";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { readSettings } from "@latchkey/service-kit";
import { expectNoLeaks, type SmtpCatcher, startSmtpCatcher } from "@latchkey/testkit";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { runAll, type RunningAll } from "../../apps/all-in-one/src/run-all.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { createMigratedDatabase } from "../harness/stores.ts";
import { anyPort } from "../harness/any-port.ts";

expectNoLeaks("file");

const older = "the older secret, on its way out";
const newer = "the newer secret, which signs from now on";
const password = "correct horse battery";
describe.each(["postgres", "redis"] as const)("with sessions in %s", (stores) => {
  let database: { url: string; drop(): Promise<void> };
  let smtp: SmtpCatcher;
  let running: RunningAll | undefined;
  let redisKeyPrefix: string;

  beforeEach(async () => {
    redisKeyPrefix = `test-${randomBytes(6).toString("hex")}`;
    [database, smtp] = await Promise.all([createMigratedDatabase(), startSmtpCatcher()]);
  });
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  afterEach(async () => {
    await stop();
    await smtp.stop();
    await database.drop();
  });

  /** Restarts all services on the same stores. */
  const restartWith = async (...secret: string[]) => {
    await stop();
    const settings = readSettings(
      {
        secret,
        databaseUrl: database.url,
        ...(stores === "redis" ? { redisUrl: inject("redisUrl") } : {}),
        mail: { smtpUrl: smtp.url },
        advanced: { redisKeyPrefix },
      },
      anyPort,
    );
    running = await runAll(settings);
    return `${running.url}${settings.options.basePath}`;
  };
  /** The same browser at the new address after the restart. */
  const moved = (browser: BrowserLike, url: string) => {
    const next = createBrowserLike(url);
    for (const [name, value] of browser.cookies) next.cookies.set(name, value);
    return next;
  };
  const get = async (browser: BrowserLike) =>
    (await (await browser.get("/get-session")).json()) as {
      session: { token: string };
      user: { emailVerified: boolean };
    } | null;
  const signUp = async (url: string) => {
    const browser = createBrowserLike(url);
    const email = "ada@example.com";
    const response = await browser.post("/sign-up/email", { name: "Ada", email, password });
    const { token } = (await response.json()) as { token: string };
    return { browser, email, token };
  };

  test("cookies, bearer tokens, links and listed tokens of the older secret keep working", async () => {
    const first = await restartWith(older);
    const { browser, email, token } = await signUp(first);
    await browser.post("/send-verification-email", { email });
    const link = new URL((await smtp.waitForMail(email)).links[0] ?? "");

    const second = await restartWith(newer, older);
    const back = moved(browser, second);
    expect((await get(back))?.session.token).toBe(token);
    const listed = (await (await back.get("/list-sessions")).json()) as { token: string }[];
    expect(listed.map((session) => session.token)).toEqual([token]);
    const bearer = await fetch(`${second}/get-session`, {
      headers: { authorization: `Bearer ${signValue(createSecretRing([older]), token)}` },
    });
    expect(await bearer.json()).toMatchObject({ session: { token } });
    const opened = await back.get(`/verify-email${link.search}`);
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/"]);
    expect((await get(back))?.user.emailVerified).toBe(true);

    const again = await back.post("/sign-in/email", { email, password });
    const issued = (await again.json()) as { token: string };
    expect(again.headers.get("set-auth-token")).toBe(
      signValue(createSecretRing([newer]), issued.token),
    );
  });

  test("without the older secret its cookies and links are invalid, and its sessions can be ended", async () => {
    const first = await restartWith(older);
    const { browser, email, token } = await signUp(first);
    await browser.post("/send-verification-email", { email });
    const link = new URL((await smtp.waitForMail(email)).links[0] ?? "");

    const second = await restartWith(newer);
    const back = moved(browser, second);
    expect(await get(back)).toBeNull();
    const opened = await back.get(`/verify-email${link.search}`);
    expect(opened.headers.get("location")).toBe("/?error=invalid_token");

    const fresh = createBrowserLike(second);
    expect((await fresh.post("/sign-in/email", { email, password })).status).toBe(200);
    const listed = (await (await fresh.get("/list-sessions")).json()) as { token: string }[];
    expect(listed.some((session) => session.token === token)).toBe(false);
    expect((await fresh.post("/revoke-other-sessions")).status).toBe(200);
    const bearer = await fetch(`${second}/get-session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await bearer.json()).toBeNull();
  });
});
