import { once } from "node:events";
import type { Server } from "node:http";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOtherSite } from "../../docs/examples/other-site/server.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

let system: System;
let ownUrl: string;
let server: Server;
beforeAll(async () => {
  const port = await freePort();
  // Another host than that of Latchkey, which is 127.0.0.1. No cookie of one reaches the other.
  ownUrl = `http://localhost:${port}`;
  system = await startSystem({
    stores: "postgres",
    config: {
      trustedOrigins: [ownUrl],
      oneTimeToken: { callbackURLs: [`${ownUrl}/signed-in`] },
    },
  });
  server = createOtherSite({
    ownUrl,
    latchkeyUrl: system.url,
    signInUrl: `${system.origin}/account/sign-in`,
  });
  await once(server.listen(port), "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), "close");
  await system.stop();
});

const locationOf = (response: Response): URL => {
  expect([302, 303]).toContain(response.status);
  return new URL(response.headers.get("location") ?? "", response.url);
};

const textAt = async (browser: BrowserLike, path = "/"): Promise<string> =>
  (await browser.get(path)).text();

/** Follows the way back from the sign-in page, as the account web does for a user who is signed in. */
const leadBack = async (latchkey: BrowserLike, signIn: URL): Promise<string> => {
  const query = new URLSearchParams({
    redirect_to: signIn.searchParams.get("redirect_to") ?? "",
  });
  const way = locationOf(
    await fetch(`${system.origin}/account/return?${query.toString()}`, { redirect: "manual" }),
  );
  const back = locationOf(await latchkey.get(way.href.slice(system.url.length)));
  return back.href.slice(ownUrl.length);
};

test("a user signs in at an application of another site, and out everywhere", async () => {
  const { browser: latchkey } = await signUp(system, { name: "Ada <3" });
  const browser = createBrowserLike(ownUrl);
  expect(await textAt(browser)).toContain("Sign in");
  const signIn = locationOf(await browser.get("/sign-in"));
  expect(signIn.href).toContain(`${system.origin}/account/sign-in?redirect_to=`);
  const back = await leadBack(latchkey, signIn);
  const arrived = await browser.get(back);
  expect(locationOf(arrived).href).toBe(`${ownUrl}/`);
  expect(arrived.headers.get("referrer-policy")).toBe("no-referrer");
  // A session of a user who does not stay signed in ends with the browser, here too.
  const cookie = arrived.headers.getSetCookie().find((one) => one.startsWith("session="));
  expect(cookie).toMatch(/^session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(await textAt(browser)).toContain("Signed in as Ada &#60;3.");
  // Neither the address of the way back nor its token works again.
  expect(await textAt(browser, back)).toContain("was not begun in this browser");
  expect(locationOf(await browser.post("/sign-out")).href).toBe(`${ownUrl}/`);
  expect(await textAt(browser)).toContain("Sign in");
  expect(await readSession(latchkey)).toBeNull();
});

/** Attack: an attacker sends a victim the address with the attacker's own token. */
test("the application refuses a way back that another browser began", async () => {
  const { browser: latchkey } = await signUp(system);
  const attacker = createBrowserLike(ownUrl);
  const back = await leadBack(latchkey, locationOf(await attacker.get("/sign-in")));
  const victim = createBrowserLike(ownUrl);
  await victim.get("/sign-in");
  const answer = await victim.get(back);
  expect([answer.status, victim.cookies.has("session")]).toEqual([400, false]);
  expect(await textAt(victim)).toContain("Sign in");
});

test("the application shows a page, and sends nobody back, if the user is not signed in", async () => {
  const browser = createBrowserLike(ownUrl);
  const signIn = locationOf(await browser.get("/sign-in"));
  const answer = await browser.get(await leadBack(createBrowserLike(system.url), signIn));
  expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  expect(await answer.text()).toContain("You are not signed in.");
});
