import { createSecretRing, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { openStores, type Stores } from "../harness/stores.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { password, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const older = "the older secret, on its way out";
const newer = "the newer secret, which signs from now on";
describe.each(matrix("postgres", "redis"))("with sessions in %s", (storeKind) => {
  let stores: Stores;
  let system: System | undefined;

  beforeEach(async () => {
    stores = await openStores(storeKind);
  });
  const stop = async () => {
    await system?.stop();
    system = undefined;
  };
  afterEach(async () => {
    await stop();
    await stores.close();
  });

  /** Restarts all services on the same stores. */
  const restartWith = async (...secret: string[]) => {
    await stop();
    const { databaseUrl, redisUrl, redisKeyPrefix, smtp } = stores;
    system = await startSystem({
      stores: { databaseUrl, redisUrl, redisKeyPrefix },
      config: { secret, mail: { smtpUrl: smtp.url } },
    });
    return system.url;
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
  test("cookies, bearer tokens, links and listed tokens of the older secret keep working", async () => {
    const first = await restartWith(older);
    const { browser, email, token } = await signUp({ url: first });
    await browser.post("/send-verification-email", { email });
    const link = new URL((await stores.smtp.waitForMail(email)).links[0] ?? "");

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
    const { browser, email, token } = await signUp({ url: first });
    await browser.post("/send-verification-email", { email });
    const link = new URL((await stores.smtp.waitForMail(email)).links[0] ?? "");

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
