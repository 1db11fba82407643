import { gzipSync } from "node:zlib";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page, Response } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrix, matrixStep, matrixTest } from "../harness/matrix.ts";
import { password, setRole, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url, accountUrl } = webTests({ config: webConfig });

const backgrounds = { light: "rgb(248, 249, 251)", dark: "rgb(11, 13, 16)" };

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate<string>("getComputedStyle(document.body).backgroundColor");

const chooseTheme = async (page: Page, name: string) => {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitemradio", { name }).click();
  await page.keyboard.press("Escape");
};

describe.each(matrix("dark", "light"))("a system with the %s theme", (colorScheme) => {
  test("is followed until the user chooses a theme, which this browser remembers", async () => {
    const other = colorScheme === "light" ? "dark" : "light";
    const page = await openPage({ colorScheme });
    await signInAsAdmin(page, system());
    await page.goto(url("/users"));
    await page.getByRole("row").nth(1).waitFor();
    expect(await backgroundOf(page)).toBe(backgrounds[colorScheme]);
    await expectAccessible(page);
    await chooseTheme(page, other === "dark" ? "Dark" : "Light");
    await expect.poll(() => backgroundOf(page)).toBe(backgrounds[other]);
    await page.reload();
    await page.getByRole("row").nth(1).waitFor();
    expect(await backgroundOf(page)).toBe(backgrounds[other]);
    await matrixStep(() => expectAccessible(page));
    await chooseTheme(page, "System");
    await expect.poll(() => backgroundOf(page)).toBe(backgrounds[colorScheme]);
  });
});

const bytesMax = 300 * 1024;
const screens = [
  "/",
  "/users",
  "/organizations",
  "/api-keys",
  "/mail",
  "/events",
  "/queues",
  "/audit",
  "/signing-keys",
  "/settings",
  "/branding",
];

/** Returns the compressed bytes of all scripts that a browser with an empty cache loads for a page until it is idle. */
const weightOf = async (page: Page, path: string): Promise<number> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  const scripts: Promise<Buffer>[] = [];
  const recordScript = (response: Response) => {
    if (response.url().endsWith(".js")) scripts.push(response.body());
  };
  page.on("response", recordScript);
  await page.goto(url(path));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  page.off("response", recordScript);
  const bodies = await Promise.all(scripts);
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
};

/** The texts for screen readers lie outside the flow of their scrolled part. */
matrixTest("a screen scrolls inside its frame, which never leaves the window", async () => {
  const page = await openPage({ viewport: { width: 1024, height: 400 } });
  const { user } = await signInAsAdmin(page, system());
  const users = ["?tab=activity", "", "?tab=security", "?tab=access"];
  for (const path of matrix(...users.map((tab) => `/users/${user.id}${tab}`), ...screens)) {
    await page.goto(url(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    const scrolled = await page.evaluate(() => {
      window.scrollTo(0, 10_000);
      return window.scrollY;
    });
    expect(scrolled, path).toBe(0);
  }
});

test("an unknown address has a heading, and the health of services is readable on a phone", async () => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await signInAsAdmin(page, system());
  for (const address of matrix(accountUrl("/nowhere"), url("/nowhere"))) {
    await page.goto(address);
    await page
      .getByRole("main")
      .getByRole("heading", { level: 1, name: "Page not found" })
      .waitFor();
    await matrixStep(() => expectAccessible(page));
    await takePicture(page, address.includes("/admin") ? "admin-not-found" : "account-not-found");
  }
  await page.goto(url("/"));
  await page.getByRole("list", { name: "health of services" }).getByText("gateway").waitFor();
  await matrixStep(() => expectAccessible(page));
});

/** The router would reload the page, and the browser would replace the web by its own error page. */
matrixTest("without a network, a click keeps the web and offers to try again", async () => {
  const page = await openPage({});
  await signInAsAdmin(page, system());
  for (const [address, link, heading] of [
    [url("/"), "Signing keys", "Signing keys"],
    [accountUrl("/"), "Sessions", "Sessions"],
  ] as const) {
    await page.goto(address);
    await page.getByRole("link", { name: link }).first().waitFor();
    await page.waitForLoadState("networkidle");
    // Chromium does not ask the network for scripts that it has in its cache.
    await page.route("**/assets/**", (route) => route.abort());
    await page.context().setOffline(true);
    await page.getByRole("link", { name: link }).first().click();
    const retry = page.getByRole("main").getByRole("button", { name: /refresh page|try again/i });
    await retry.waitFor();
    await takePicture(page, address.includes("/admin") ? "admin-offline" : "account-offline");
    await retry.click();
    await retry.waitFor();
    await page.unroute("**/assets/**");
    await page.context().setOffline(false);
    // The web of accounts loads the page by itself once the network is back.
    if (await retry.isVisible()) await retry.click({ timeout: 5_000 }).catch(() => {});
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
});

matrixTest("the first visit to a page loads less than 300 KB of compressed scripts", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  for (const path of screens) {
    const weight = await weightOf(page, path);
    expect(weight, path).toBeGreaterThan(0);
    expect(weight, path).toBeLessThan(bytesMax);
  }
});

/** Returns the scripts that a page names, which are those that it waits for, with their compressed sizes. */
const scriptsOf = async (path: string) => {
  const html = await (await fetch(url(path))).text();
  const names = [...html.matchAll(/(?:src|href)="([^"]*\.js)"/g)].map(([, name]) => name ?? "");
  return Promise.all(
    [...new Set(names)].map(async (name) => {
      const response = await fetch(new URL(name, url(path)), {
        headers: { "accept-encoding": "br" },
      });
      return {
        size: Number(response.headers.get("content-length")),
        text: await response.text(),
      };
    }),
  );
};

test.each([
  ["/", 126_000],
  ["/users", 153_000],
])(
  "the first visit to %s waits for less than %i bytes of compressed scripts",
  async (path, max) => {
    const scripts = await scriptsOf(path);
    expect(scripts.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(max);
    // The browser ignores the hint after anything else.
    const large = scripts.filter(({ size }) => size > 7000);
    expect(large.length).toBeGreaterThan(1);
    for (const { text } of large) expect(text.slice(0, 28)).toBe("//# allFunctionsCalledOnLoad");
  },
);

/** Attack: an admin signs out at a shared computer, and another tab still shows the users. */
test("a sign-out in one tab reaches the others at once, and a sign-in leads each back", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/users"));
  await page.getByRole("row").nth(1).waitFor();
  const other = await page.context().newPage();
  await other.goto(url("/users"));
  await other.getByRole("row").nth(1).waitFor();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (const tab of [page, other]) {
    await tab.getByText("You have signed out.").waitFor();
    expect(await tab.getByRole("grid").count()).toBe(0);
  }
  await matrixStep(async () => {
    const person = await signUp(system());
    await setRole(system(), person.user.id, "admin");
    await page.getByLabel("Email or username").fill(person.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /^Account of/ }).waitFor();
    await other.reload();
    await other.getByRole("button", { name: /^Account of/ }).waitFor();
  });
});
