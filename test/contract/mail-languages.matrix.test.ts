import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { getMail, untilMails } from "../harness/mails.ts";
import { serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, signUpAs } from "../harness/users.ts";

expectNoLeaks("file");

const { system } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    appName: "Example",
    mail: { locale: "fr" },
    user: { additionalFields: { locale: { type: "string", required: false } } },
  },
});

/** Requests a password reset in a browser with these languages, and returns the mail. */
const requestReset = async (email: string, languages?: string) => {
  const headers = languages === undefined ? {} : { "accept-language": languages };
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/request-password-reset", { email }, headers);
  expect(response.status).toBe(200);
  return system.smtp.waitForMail(email);
};

const signUpWith = async (locale?: string) => {
  const email = newEmail();
  const user = { name: "Ada", email, password, locale };
  expect((await createBrowserLike(system.url).post("/sign-up/email", user)).status).toBe(200);
  return email;
};

test("writes a mail in the language of the user, whatever the browser prefers", async () => {
  const { subject, text, html } = await requestReset(await signUpWith("ar-EG"), "de, en");
  expect(subject).toMatch(/^أعِد تعيين كلمة المرور في \u2068Example\u2069$/u);
  expect(text).toContain("مرحبًا \u2068Ada\u2069،");
  expect(html).toContain('<html lang="ar" dir="rtl">');
});

test("writes a mail in the language that the browser prefers", async () => {
  const { subject, text } = await requestReset(await signUpWith(), "it, de-AT;q=0.9, en;q=0.8");
  expect(subject).toBe("Setzen Sie Ihr Passwort für Example zurück");
  expect(text).toContain("Guten Tag Ada,");
});

test.each([
  ["is named", undefined],
  ["is known", "it, *"],
  ["fits in a header of usual length", `${"it, ".repeat(100)}de`],
])("writes a mail in the language of the installation if no other %s", async (_what, languages) => {
  const { subject } = await requestReset(await signUpWith("nonsense"), languages);
  expect(subject).toBe("Réinitialisez votre mot de passe pour Example");
});

test("tells admins the language of a mail", async () => {
  const { browser: admin } = await signUpAs(system, "admin");
  const email = await signUpWith("ja");
  await requestReset(email);
  const [mail] = await untilMails({ browser: admin }, email, "sent");
  expect(await getMail({ browser: admin }, mail?.id ?? "")).toMatchObject({ locale: "ja" });
});
