import { describe, expect, test } from "vitest";
import { plainBranding, plainWording } from "./plain-wording.fixture.ts";
import { locales, sampleMails } from "./sample-mails.fixture.ts";
import { wordingIn } from "./wording.ts";

const branding = {
  ...plainBranding,
  name: "Acme <Ltd>",
  logo: {
    light: 'https://example.com/logo.png?a=1&b="',
    dark: 'https://example.com/logo.png?a=1&b="',
  },
  links: [{ text: { en: "Imprint", de: "Impressum" }, url: "https://example.com/imprint" }],
  radius: 2,
  color: "#7c2d12",
  supportAddress: "help@example.com",
  termsURL: "https://example.com/terms?a=1&b=2",
  privacyURL: "https://example.com/privacy",
};

describe.each(locales)("with branding, in the language %s", (locale) => {
  const mails = Object.entries(sampleMails(wordingIn(locale, "Example", branding)));

  test.each(mails)("the mail of a %s has the head and foot of the application", (_what, mail) => {
    expect(mail.html).toContain('src="https://example.com/logo.png?a=1&amp;b=&quot;"');
    expect(mail.html).toContain('alt="Acme &lt;Ltd&gt;"');
    expect(mail.html).toContain('href="https://example.com/terms?a=1&amp;b=2"');
    expect(mail.html.match(/<img/g)).toHaveLength(1);
    expect(mail.html).toContain(
      `<a href="https://example.com/imprint" style="color:inherit">${locale === "de" ? "Impressum" : "Imprint"}</a>`,
    );
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain("help@example.com");
      expect(body).toContain("https://example.com/privacy");
      expect(body).not.toContain("Example ");
    }
    expect(mail.text).toContain(`\n${branding.termsURL}\n`);
  });

  test("buttons have the colour of the application", () => {
    const [mail] = mails;
    expect(mail?.[1].html).toContain("background:#7c2d12;color:#ffffff");
  });
});

test("a mail shows the logo for dark pages only there", () => {
  const logo = { light: "https://a.example/a.png", dark: "https://a.example/b.png" };
  const wording = wordingIn("en", "Example", { ...plainBranding, logo });
  const [mail] = Object.values(sampleMails(wording));
  expect(mail?.html).toMatch(/<img class="on-light" src="https:\/\/a.example\/a.png"/);
  expect(mail?.html).toMatch(
    /<img class="on-dark" src="https:\/\/a.example\/b.png"[^>]*display:none/,
  );
});

test("a mail of an installation without branding has no foot and loads nothing", () => {
  for (const { text, html } of Object.values(sampleMails(plainWording("en", "Example")))) {
    expect(text).not.toContain("--");
    expect(html).not.toMatch(/<img|border-top/);
  }
});
