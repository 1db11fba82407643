import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { matrix, matrixTest, matrixStep } from "../harness/matrix.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");

const shop = "https://shop.example.com";
const folder = mkdtempSync(join(tmpdir(), "latchkey-branding-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const interFile = fileURLToPath(
  new URL("../../libs/ui/src/theme/font/inter-latin.woff2", import.meta.url),
);
const logo = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="40" height="40" rx="10" fill="${color}"/><rect x="52" y="12" width="64" height="16" rx="8" fill="${color}"/></svg>`;

const { system, openPage, url, accountUrl } = webTests({
  config: {
    ...webConfig,
    appURL: [shop],
    branding: {
      name: "Acme",
      logo: { light: file("day.svg", logo("#7c2d12")), dark: file("night.svg", logo("#fdba74")) },
      favicon: file("icon.svg", logo("#7c2d12")),
      color: "#7c2d12",
      radius: 16,
      background: { colors: ["#ffedd5", "#fecaca"], angle: 160 },
      layout: "split",
      texts: {
        en: { signInTitle: "Good to see you", panelTitle: "One account for all of Acme" },
        de: { panelText: "Ein Konto für alles von Acme." },
      },
      links: [{ text: { en: "Imprint", de: "Impressum" }, url: "https://acme.example/imprint" }],
      css: file("acme.css", '[data-part="title"] h1 { letter-spacing: 1px; }'),
      applications: { [shop]: { name: "Shop", layout: "card", color: "#047857" } },
    },
  },
});

const signInPage = async (page: Page, title: string, search = "") => {
  await page.goto(accountUrl(`/sign-in${search}`));
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
};

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate(`getComputedStyle(document.body, "::before").backgroundImage`);

test("the look is there at the first paint, beside the form on wide screens only", async () => {
  const page = await openPage({ viewport: { width: 1440, height: 900 }, locale: "en" });
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(accountUrl("/sign-in"));
  expect(await backgroundOf(page)).toContain("linear-gradient(160deg, rgb(255, 237, 213)");
  const outline = page.locator("[aria-hidden] > [data-part=card]");
  const shadowOf = (card: typeof outline) =>
    card.evaluate((one) => getComputedStyle(one).boxShadow);
  expect(await shadowOf(outline)).toBe("none");
  await page.unroute("**/assets/*.js");
  await signInPage(page, "Good to see you");
  const panel = page.getByText("One account for all of Acme");
  const button = page.getByRole("button", { name: "Sign in", exact: true });
  expect(await button.evaluate((one) => getComputedStyle(one).borderRadius)).toBe("16px");
  const heading = page.getByRole("heading", { level: 1 });
  expect(await heading.evaluate((one) => getComputedStyle(one).letterSpacing)).toBe("1px");
  await page.getByText("Ein Konto für alles von Acme.").waitFor();
  await page.getByRole("link", { name: "Imprint" }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await panel.isVisible()).toBe(width === 1440);
      expect(await page.getByRole("img", { name: "Acme" }).count()).toBe(1);
      expect(await overflowOf(page)).toBe(0);
      const look = () => expectAccessible(page);
      await (width === 1440 ? look() : matrixStep(look));
      await takePicture(page, `branding-split-${width}-${colorScheme}`);
    }
  }
});

test("an application that shares the installation has a look of its own", async () => {
  const page = await openPage({ viewport: { width: 1440, height: 900 } });
  await signInPage(page, "Good to see you", `?redirect_to=${encodeURIComponent(`${shop}/cart`)}`);
  expect(await page.title()).toContain("Shop");
  const button = page.getByRole("button", { name: "Sign in", exact: true });
  expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    "rgb(4, 120, 87)",
  );
  expect(await page.getByText("One account for all of Acme").count()).toBe(0);
  for (const [width, colorScheme] of matrix([1440, "light"], [390, "dark"])) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page);
    await takePicture(page, `branding-card-${width}-${colorScheme}`);
  }
});

/** Opens the screen, and returns its preview. */
const openPreview = async () => {
  const page = await openPage({ viewport: { width: 1440, height: 1400 } });
  await signInAsAdmin(page, system());
  await page.goto(url("/branding"));
  const frame = page.frameLocator("iframe[title=Preview]");
  await frame.getByText("Good to see you").waitFor();
  return { page, frame };
};

test("the preview follows a change, says what is wrong, and gives the configuration", async () => {
  const { page, frame } = await openPreview();
  const button = frame.getByText("Sign in", { exact: true });
  await page.getByLabel("Colour", { exact: true }).fill("#12345");
  await page.getByText("color: must be a colour such as #1d4ed8").waitFor();
  await page.getByLabel("URL of link 1").fill("javascript:alert(1)");
  await page.getByText(/^links\.0\.url: /).waitFor();
  await page.getByLabel("URL of link 1").fill("https://acme.example/imprint");
  await page.getByLabel("Colour", { exact: true }).fill("#1d4ed8");
  await expect
    .poll(() => button.evaluate((one) => getComputedStyle(one).backgroundColor))
    .toBe("rgb(29, 78, 216)");
  const configuration = await page.getByRole("region", { name: "the configuration" }).innerText();
  expect(JSON.parse(configuration)).toMatchObject({ branding: { color: "#1d4ed8", radius: 16 } });
  await expectAccessible(page);
});

matrixTest("the preview follows each change, and gives the configuration", async () => {
  const { page, frame } = await openPreview();
  const button = frame.getByText("Sign in", { exact: true });
  const colorOf = () => button.evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await colorOf()).toBe("rgb(124, 45, 18)");
  await takePicture(page, "branding-preview-1440-light");
  await page.getByLabel("Colour", { exact: true }).fill("#12345");
  await page.getByText("color: must be a colour such as #1d4ed8").waitFor();
  await page.getByLabel("Colour", { exact: true }).fill("#1d4ed8");
  await expect.poll(colorOf).toBe("rgb(29, 78, 216)");
  await page.getByLabel("Title of the panel").fill("Welcome back");
  await frame.getByText("Welcome back").waitFor();
  await page.getByLabel("Logo on light pages").setInputFiles({
    name: "new.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(logo("#1d4ed8")),
  });
  const image = frame.getByRole("img", { name: "Acme", includeHidden: true }).first();
  await expect.poll(() => image.getAttribute("src")).toMatch(/^blob:/);
  await expect
    .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBe(120);
  const tab = page.frameLocator("iframe[title='Tab of the browser']").locator("img");
  expect(await tab.getAttribute("src")).toMatch(/^\//);
  await page.getByLabel("Icon in tabs").setInputFiles({
    name: "new-icon.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(logo("#1d4ed8")),
  });
  await expect.poll(() => tab.getAttribute("src")).toMatch(/^blob:/);
  const fontOf = () => button.evaluate((one) => getComputedStyle(one).fontFamily);
  await page.getByLabel("Font", { exact: true }).selectOption("own");
  await page.getByLabel("Family of the font").fill("Acme Sans");
  await page.getByLabel("File of the font").setInputFiles(interFile);
  await expect.poll(fontOf).toContain("Acme Sans");
  await expect
    .poll(() =>
      button.evaluate((one) =>
        one.ownerDocument.fonts.load('16px "Acme Sans"').then(([face]) => face?.status),
      ),
    )
    .toBe("loaded");
  await page.getByLabel("Text of link 1").fill("Legal");
  await frame.getByText("Legal").waitFor();
  await page.getByLabel("Language of the texts").selectOption("de");
  expect(await page.getByLabel("Text of link 1").inputValue()).toBe("Impressum");
  await page.getByRole("button", { name: "Add link" }).click();
  await page.getByLabel("Text of link 2").fill("Kontakt");
  await page.getByLabel("URL of link 2").fill("javascript:alert(1)");
  await page.getByText(/^links\.1\.url: /).waitFor();
  await page.getByLabel("URL of link 2").fill("https://acme.example/contact");
  await frame.getByText("Kontakt").waitFor();
  await page.getByLabel("URL of the terms").fill("https://acme.example/terms");
  await frame.getByText("Terms").waitFor();
  const configuration = page.getByRole("region", { name: "the configuration" });
  const { branding } = JSON.parse(await configuration.innerText()) as {
    branding: object;
  };
  expect(branding).toMatchObject({
    color: "#1d4ed8",
    logo: { light: "./new.svg" },
    favicon: "./new-icon.svg",
    font: { family: "Acme Sans", file: "./inter-latin.woff2" },
    radius: 16,
    links: [
      { text: { en: "Legal", de: "Impressum" }, url: "https://acme.example/imprint" },
      { text: { de: "Kontakt" }, url: "https://acme.example/contact" },
    ],
    termsURL: "https://acme.example/terms",
  });
  await takePicture(page, "branding-preview-edited");
  const view = (name: string) => page.getByRole("group", { name, exact: true });
  const show = (name: string, choice: string) =>
    view(name).getByRole("radio", { name: choice, exact: true }).check();
  await show("Theme", "Dark");
  await show("Width", "Phone");
  await expect.poll(() => frame.getByText("Welcome back").isVisible()).toBe(false);
  await takePicture(page, "branding-preview-phone-dark");
  await show("Page", "Account");
  await frame.getByText("Security check-up").waitFor();
  await takePicture(page, "branding-preview-account-dark");
  await show("Page", "Mail");
  await frame.getByText("Verify email").waitFor();
  // Mails show no SVG, so the name takes its place.
  await frame.getByText("Acme", { exact: true }).waitFor();
  expect(await frame.locator("img").count()).toBe(0);
  await frame.getByText("Legal").waitFor();
  await takePicture(page, "branding-preview-mail-dark");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await overflowOf(page)).toBe(0);
  const box = await view("Width").boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThan(390);
  await takePicture(page, "branding-preview-390");
  await page.getByLabel("Look of").selectOption(shop);
  await frame.getByText("Good to see you").waitFor();
  const pages = view("Page").locator("label");
  expect(await pages.allTextContents()).toEqual(["Sign-in", "Account"]);
  expect(await page.getByLabel("Radius in pixels").inputValue()).toBe("16");
  await page.getByLabel("Radius in pixels").fill("4");
  const ofShop = JSON.parse(await configuration.innerText()) as { branding: object };
  expect(ofShop.branding).toEqual({
    applications: { [shop]: { name: "Shop", layout: "card", color: "#047857", radius: 4 } },
  });
});
