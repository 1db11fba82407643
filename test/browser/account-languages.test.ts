import { type Language, languages, operations } from "@latchkey/contracts";
import { account as arabic } from "@latchkey/i18n/ar/account.ts";
import type { front } from "@latchkey/i18n/en/front.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { parseMessage, type Part, type TextTree } from "@latchkey/i18n/message.ts";
import { loadWebTexts } from "@latchkey/i18n/webs.ts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixTest, matrixValue } from "../harness/matrix.ts";
import { createOrganization, inviteMember, organizationConfig } from "../harness/organizations.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { newEmail, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const name = "Example App";
// Everything that the pages can show: all ways in, all screens, and all links of the footer.
const { system, openPage, accountUrl } = webTests({
  config: organizationConfig(
    { teams: { enabled: true } },
    {
      apiKey: { enabled: true },
      magicLink: { enabled: true },
      emailOTP: { enabled: true },
      username: { enabled: true },
      passkey: { enabled: true },
      webhooks: { organizations: { enabled: true } },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      socialProviders: { github: { clientId: "client", clientSecret: "secret" } },
      branding: {
        name,
        supportAddress: "help@example.com",
        termsURL: "https://example.com/terms",
        privacyURL: "https://example.com/privacy",
      },
    },
  ),
});

/** Nothing listens there. */
const hooks = "http://127.0.0.1:1/hooks";

const textsOf = (part: TextTree): string[] =>
  Object.values(part).flatMap((value) => (typeof value === "string" ? [value] : textsOf(value)));

/** Texts that another language shares with English. */
const shared = new Set(["Code", "Name", "Support", "Webhooks"]);

/** Returns the pattern of what a message shows, with any value in the place of a placeholder. */
const patternOf = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part.replace(/[.?()]/g, "\\$&").replaceAll("#", "\\d+");
      if (!("options" in part)) return ".+";
      return `(?:${[...part.options.values()].map(patternOf).join("|")})`;
    })
    .join("");

const english = [await loadWebTexts("en", "front"), await loadWebTexts("en", "account")]
  .flatMap(textsOf)
  .filter((text) => !shared.has(text))
  .map((text) => new RegExp(`^${patternOf(parseMessage(text))}$`));

/** Runs in the page. Returns its title, and every text that a user sees or hears except the names of languages. */
const readTexts = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!parentElement.closest("script, style, option")) texts.push(textContent.trim());
  }
  for (const element of document.body.querySelectorAll("*"))
    for (const attribute of ["aria-label", "placeholder", "title", "alt"])
      texts.push(element.getAttribute(attribute)?.trim() ?? "");
  return texts.filter((text) => text !== "");
})()`;

const englishOn = async (page: Page): Promise<string[]> => {
  const texts = await page.evaluate<string[]>(readTexts);
  expect(texts.length).toBeGreaterThan(12);
  return texts
    .flatMap((text) => [text, text.replace(` – ${name}`, "")])
    .filter((text) => english.some((pattern) => pattern.test(text)));
};

/** Returns the text of a missing password. */
const missingPasswordIn = async (language: Language): Promise<string> => {
  const { signIn } = (await loadWebTexts(language, "front")) as typeof front; // each language has the English keys
  return signIn.enterPassword;
};

const shown = (page: Page): Promise<{ lang: string; dir: string }> =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return { lang, dir };
  });

test("shows the language of the browser, then the chosen one, and keeps it", async () => {
  const page = await openPage({ locale: "de-DE", viewport: { width: 400, height: 900 } });
  await page.goto(accountUrl("/sign-in"));
  await page.getByRole("heading", { name: `Bei ${name} anmelden` }).waitFor();
  expect(await shown(page)).toEqual({ lang: "de", dir: "ltr" });
  const choice = page.getByRole("combobox");
  const submit = page.locator('button[type="submit"]');
  const choose = async (tag: string) => {
    await choice.selectOption(tag);
    await page.locator(`html[lang="${tag}"]`).waitFor();
  };

  await choose("en");
  expect(await englishOn(page)).toContain("Forgot password?");
  const others = languages.filter((one) => one !== "en");
  for (const language of matrixValue(others.slice(-1), others)) {
    await choose(language);
    const { direction } = languageFacts[language];
    expect(await shown(page)).toEqual({ lang: language, dir: direction });
    await submit.click();
    await page.getByText(await missingPasswordIn(language), { exact: true }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `account-language-${language}`);
  }

  // Arabic comes last.
  await expectAccessible(page);
  const label = await page.locator('label[for]:has-text("كلمة المرور")').boundingBox();
  const forgot = await page.getByRole("link", { name: "هل نسيت كلمة المرور؟" }).boundingBox();
  expect(label?.x).toBeGreaterThan(forgot?.x ?? Infinity);
  const field = page.getByLabel("كلمة المرور", { exact: true });
  expect(await field.evaluate((input) => getComputedStyle(input).direction)).toBe("ltr");
  // A password begins at the left, where nothing may cover it.
  const middle = await field.evaluate(
    (input) => input.getBoundingClientRect().x + input.clientWidth / 2,
  );
  const show = await page.getByRole("button", { name: "إظهار كلمة المرور" }).boundingBox();
  expect(show?.x).toBeGreaterThan(middle);
  await page.reload();
  await page.getByRole("heading", { name: "تسجيل الدخول إلى" }).waitFor();
  expect(await shown(page)).toEqual({ lang: "ar", dir: "rtl" });
});

matrixTest("shows the screens for signed-in users in Arabic, from right to left", async () => {
  const user = await signUp(system());
  const { id: organizationId } = await createOrganization(user);
  await inviteMember(user, newEmail(), { organizationId });
  await expectOk(
    callOperation(user, operations.webhooks.createOrganizationWebhook, {
      body: { organizationId, url: hooks },
    }),
  );
  const page = await openPage({ locale: "ar-EG", viewport: { width: 1280, height: 900 } });
  await signIn(page, system(), user);
  await page.goto(accountUrl("/"));
  const { account, profile, security, sessions, apiKeys, organizations, data, webhooks } = arabic;
  const look = async (screen: string) => {
    expect(await englishOn(page)).toEqual([]);
    await expectAccessible(page);
    await page.setViewportSize({ width: 400, height: 900 });
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `account-arabic-${screen}`);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  const heading = (title: string) =>
    page.getByRole("heading", { level: 1, name: title, exact: true });
  await heading(profile.title).waitFor();
  expect(await shown(page)).toEqual({ lang: "ar", dir: "rtl" });
  await page.waitForLoadState("networkidle");
  await look("overview");
  for (const [screen, textsOfScreen] of Object.entries({
    profile: profile.you,
    security,
    sessions,
    apiKeys,
    data,
    organizations,
  })) {
    const link = account.screens[screen as keyof typeof account.screens];
    await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).click();
    await heading(textsOfScreen.title).waitFor();
    await page.waitForLoadState("networkidle");
    await look(screen);
  }
  await page.getByRole("link", { name: "Acme" }).click();
  for (const tab of ["members", "invitations", "teams", "settings", "webhooks"] as const) {
    await page.getByRole("tab", { name: organizations.tabs[tab], exact: true }).click();
    await page.waitForLoadState("networkidle");
    await look(`organization-${tab}`);
  }
  await page.getByRole("link", { name: hooks }).click();
  await page.getByRole("heading", { level: 2, name: webhooks.deliveries.title }).waitFor();
  await look("webhook");
});
