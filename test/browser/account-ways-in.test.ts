import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { password, signUp } from "../harness/users.ts";
import { addAuthenticator } from "./add-authenticator.ts";
import { webTests } from "./web-tests.ts";
import { signOut } from "./web-users.ts";

expectNoLeaks("file");
// The origin of passkeys contains the port, so it must be known before the start.
const { system, openPage, accountUrl } = webTests({
  hostname: "localhost",
  topology: "one process",
  replicas: 1,
  environment: async () => ({ PORT: String(await freePort()) }),
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const bytesMax = 165_000;

test("loads less than 165 KB to sign in: the page, its scripts, styles and font", async () => {
  const page = await openPage({});
  const loaded: Promise<number>[] = [];
  const names: string[] = [];
  page.on("response", (response) => {
    names.push(response.url());
    loaded.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Sign in").waitFor();
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all(loaded);
  expect(names.some((name) => name.endsWith(".woff2"))).toBe(true);
  const sum = sizes.reduce((total, size) => total + size, 0);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sum).toBeLessThan(bytesMax);
});

/** Runs in the page. Adds a passkey of the signed-in user to the browser's authenticator. */
const addPasskey = `(async () => {
  const base = "/api/auth/passkey";
  const options = await (await fetch(base + "/generate-register-options")).json();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  const { status } = await fetch(base + "/verify-registration", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ response: credential.toJSON() }),
  });
  return status;
})()`;

test("signs a user in without a pointer, and then by the passkey that the autofill offers", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await addAuthenticator(page);
  await page.goto(accountUrl("/sign-in"));
  const tabTo = async (target: Locator) => {
    await target.waitFor();
    const isFocused = () => target.evaluate((element) => element.matches(":focus"));
    for (let step = 0; step < 20 && !(await isFocused()); step += 1)
      await page.keyboard.press("Tab");
    expect(await isFocused()).toBe(true);
  };
  await tabTo(page.getByLabel("Email or username"));
  await page.keyboard.type(user.email);
  await tabTo(page.getByLabel("Password"));
  await page.keyboard.type(password);
  await tabTo(button(page, "Sign in"));
  await page.keyboard.press("Enter");
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
  expect(await page.evaluate(addPasskey)).toBe(200);
  // Another web of this origin sends users to this page, which leads back.
  await page.goto(accountUrl("/confirm?redirect_to=%2Faccount%2Fsessions"));
  await button(page, "Use a passkey").click();
  await page.waitForURL(accountUrl("/sessions"));
  // The virtual authenticator answers the autofill at once, as a user does who picks the passkey.
  const verified = page.waitForResponse("**/passkey/verify-authentication");
  await signOut(page);
  expect((await verified).status()).toBe(200);
  await page.waitForURL(accountUrl("/"));
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
});

matrixTest("a cancelled passkey is no error", async () => {
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Sign in with a passkey").waitFor();
  await page.evaluate(`
    navigator.credentials.get = (options) => {
      if (options.mediation === "conditional") return new Promise(() => {});
      globalThis.isCancelled = true;
      return Promise.reject(new DOMException("cancelled", "NotAllowedError"));
    };
  `);
  await button(page, "Sign in with a passkey").click();
  await expect.poll(() => page.evaluate("globalThis.isCancelled")).toBe(true);
  await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  expect(await page.getByRole("alert").allTextContents()).toEqual([]);
});
