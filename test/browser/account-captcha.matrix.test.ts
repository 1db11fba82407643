import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { respondWith, startCaptchaProvider } from "../harness/providers/captcha-provider.ts";
import { newEmail, password } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signOut } from "./web-users.ts";

expectNoLeaks("file");
const provider = await startCaptchaProvider();
afterAll(() => provider.stop());

const turnstile = "https://challenges.cloudflare.com";
const { openPage, accountUrl } = webTests({
  otherOrigins: [turnstile],
  config: {
    captcha: {
      enabled: true,
      secretKey: "the-secret-of-the-site",
      siteKey: "the-key-of-the-site",
      siteVerifyURLOverride: provider.url,
    },
  },
});

/** Stands in for the script of the provider. Its widget is a button, whose responses are numbered. */
const script = `
  let count = 0;
  window.turnstile = {
    render: (container, { sitekey, theme, language, callback }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Solve " + [sitekey, theme, language].join(" ");
      button.addEventListener("click", () => callback("response " + (count += 1)));
      container.append(button);
    },
  };
  window[new URL(document.currentScript.src).searchParams.get("onload")]();
`;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The responses that the provider was asked to verify. */
const verified = (): unknown[] =>
  provider.requests.map((body) => (JSON.parse(body) as { response?: unknown }).response);

test("operations that require a captcha show it first, and send its response", async () => {
  const page = await openPage();
  const requestedUrls: string[] = [];
  let isReachable = false;
  await page.route(`${turnstile}/**`, async (route) => {
    requestedUrls.push(route.request().url());
    if (isReachable) await route.fulfill({ contentType: "text/javascript", body: script });
    else await route.abort();
  });
  const captcha = page.getByRole("dialog", { name: "Confirm that you are human" });
  const solve = () => captcha.getByRole("button", { name: /^Solve the-key-of-the-site/ }).click();

  const email = newEmail();
  await page.goto(accountUrl("/sign-up"));
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(password);
  expect(requestedUrls).toEqual([]);
  await button(page, "Create account").click();
  await captcha.getByText("The captcha could not be loaded.").waitFor();
  isReachable = true;
  await captcha.getByRole("button", { name: "Try again" }).click();
  await captcha.getByRole("button", { name: /^Solve/ }).waitFor();
  expect(new URL(requestedUrls[0] ?? "").pathname).toBe("/turnstile/v0/api.js");
  await lookWideAndNarrow(page, "account-captcha");
  await page.keyboard.press("Escape");
  await page.getByText("Complete the captcha first.").waitFor();
  provider.respond = respondWith({ success: false });
  await button(page, "Create account").click();
  await solve();
  await page.getByText("The captcha was not accepted. Try it again.").waitFor();
  provider.respond = respondWith({ success: true });
  await button(page, "Create account").click();
  await solve();
  await page.getByText(`You are signed in as ${email}.`).waitFor();

  // The captcha stays usable above another dialog, which keeps the rest of the page from being used.
  await page.getByRole("link", { name: "Security" }).click();
  await button(page, "Change password").click();
  await page.getByLabel("Your password").fill(password);
  await page.getByLabel("New password").fill("another horse battery");
  await button(page, "Save password").click();
  await solve();
  await page.getByText("Password changed.").waitFor();
  await signOut(page);
  await page.getByText("You have signed out.").waitFor();

  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email", { exact: true }).fill(email);
  await button(page, "Send link").click();
  await solve();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("another horse battery");
  await page.keyboard.press("Enter");
  await solve();
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  // A script of the provider counts for one page. Each call has had a response of its own.
  expect(verified()).toEqual([1, 2, 3, 1, 2].map((number) => `response ${number}`));
  const pageOf = await page.request.get(accountUrl("/sign-in"));
  expect(pageOf.headers()["content-security-policy"]).toContain(
    `script-src 'self' ${turnstile}; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src ${turnstile};`,
  );
});
