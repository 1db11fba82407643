import { describe, expect, test } from "vitest";
import { plainBranding, plainWording } from "./plain-wording.fixture.ts";
import { locales, sampleMails } from "./sample-mails.fixture.ts";
import { wordingIn } from "./wording.ts";

const branding = {
  ...plainBranding,
  name: "Acme <Ltd>",
  logo: 'https://example.com/logo.png?a=1&b="',
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

test("a mail of an installation without branding has no foot and loads nothing", () => {
  for (const { text, html } of Object.values(sampleMails(plainWording("en", "Example")))) {
    expect(text).not.toContain("--");
    expect(html).not.toMatch(/<img|border-top/);
  }
});
