import { mails as catalogues } from "@latchkey/i18n/mails.ts";
import { describe, expect, test } from "vitest";
import { safePersonName } from "./mail.ts";
import { phoneCodeText } from "./code-mails.ts";
import { plainBranding, plainWording } from "./plain-wording.fixture.ts";
import { code, harmless, locales, newEmail, sampleMails, url } from "./sample-mails.fixture.ts";
import { wordingIn } from "./wording.ts";

const lineOctetsMax = 998;
const hostile = "<b>win</b> at evil.example";
const isolates = /[\u2066-\u2069]/gu;

/** Returns the text that a mail shows, without the isolates around its values. */
const shown = (text: string): string => text.replace(isolates, "");

describe.each(locales)("in the language %s", (locale) => {
  const wording = plainWording(locale, "Example");
  const mails = Object.entries(sampleMails(wording));

  describe.each(mails)("the mail of a %s", (_what, mail) => {
    const bodies = [mail.text, mail.html];

    test("has a subject and bodies without placeholders and gaps", () => {
      expect(mail.subject).not.toBe("");
      for (const part of [mail.subject, mail.text]) {
        expect(part).not.toMatch(/[{}#]|undefined|\[object/);
        expect(shown(part)).not.toMatch(/[^\n] {2}|[“„«「][”“»」]|\(\)|（）/);
      }
    });

    test("greets the user and names the application", () => {
      expect(shown(mail.text + mail.subject)).toContain("Example");
      for (const body of bodies) expect(shown(body)).toContain("Ada");
    });

    test("declares its language and direction", () => {
      expect(mail.locale).toBe(locale);
      const direction = locale === "ar" ? "rtl" : "ltr";
      expect(mail.html).toContain(`<html lang="${wording.language}" dir="${direction}">`);
      expect(mail.html).toContain(`<body dir="${direction}"`);
    });

    /** A longer line is rejected or folded by mail servers (RFC 5322, section 2.1.1). */
    test("has no line that is too long for mail servers", () => {
      for (const line of bodies.flatMap((body) => body.split("\n")))
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(lineOctetsMax);
    });

    test("loads nothing from elsewhere", () => {
      expect(mail.html).not.toMatch(/<img|<link|<script|url\(|@import/);
    });

    test("contains its link or code in both bodies, unchanged", () => {
      if (mail.link !== undefined) {
        expect(mail.text).toContain(`\n${url}\n`);
        expect(mail.html).toContain(`href="${url.replace("&", "&amp;")}"`);
      } else expect(mail.html).not.toContain("href");
      if (mail.code !== undefined) for (const body of bodies) expect(body).toContain(code);
      expect(mail.subject).not.toContain(code);
    });

    test("isolates Latin values from right-to-left text", () => {
      const isolated = mail.text.match(isolates) ?? [];
      expect(isolated.length > 0).toBe(locale === "ar");
      expect(isolated.length % 2).toBe(0);
    });
  });

  /** Attack: the name of a user, an organization or a passkey puts markup, a link or a message into a mail. */
  test("no mail contains a hostile name", () => {
    const names = { user: hostile, organization: hostile, passkey: hostile };
    for (const { subject, text, html } of Object.values(sampleMails(wording, names)))
      for (const part of [subject, text, html]) {
        expect(part).not.toContain("evil.example");
        expect(part).not.toContain("<b>");
      }
  });

  /** Attack: message syntax in a name reads another value or makes the mail fail. */
  test("message syntax in a value is shown as text", () => {
    const [hello] = Object.values(sampleMails(plainWording(locale, "{time} <i>'{x}'</i> #")));
    expect(shown(hello?.text ?? "")).toContain("{time} <i>'{x}'</i> #");
    expect(shown(hello?.html ?? "")).toContain("{time} &lt;i&gt;&#39;{x}&#39;&lt;/i&gt; #");
  });

  test("names with punctuation are escaped in the HTML", () => {
    const names = { ...harmless, organization: "O'Hara & Sons", passkey: "Tom & Ada's" };
    const mailsOf = sampleMails(wording, names);
    expect(mailsOf["invitation"]?.html).toContain("O&#39;Hara &amp; Sons");
    expect(mailsOf["added passkey"]?.html).toContain("Tom &amp; Ada&#39;s");
  });

  test("the new address, the passkey and the browser are named", () => {
    const mailsOf = sampleMails(wording);
    expect(shown(mailsOf["email change"]?.text ?? "")).toContain(newEmail);
    const added = shown(mailsOf["added passkey"]?.text ?? "");
    for (const part of ["YubiKey 5C", "Firefox", "Linux", "192.0.2.1"])
      expect(added).toContain(part);
  });

  test("a time has the year, the minute and the time zone, in digits of the code", () => {
    expect(wording.time("2030-11-02T15:04:05.000Z")).toMatch(/2030.* UTC$/u);
    expect(wording.time("2030-11-02T15:04:05.000Z")).toMatch(/04/u);
  });
});

test("the names of the samples are accepted", () => {
  expect(safePersonName(harmless.user)).toBe(harmless.user);
});

test("every text is used in some mail or text message", () => {
  const expiresAt = "2030-01-02T03:04:05.000Z";
  const used = new Set<string>();
  const wording = wordingIn("en", "Example", {
    ...plainBranding,
    supportAddress: "help@example.com",
    termsURL: "https://example.com/terms",
    privacyURL: "https://example.com/privacy",
  });
  const recorded = {
    ...wording,
    say: (...[name, values]: Parameters<typeof wording.say>) => {
      used.add(name);
      return wording.say(name, values);
    },
  };
  sampleMails(recorded);
  sampleMails(recorded, { user: "", organization: "", passkey: "" });
  for (const purpose of ["phone-number", "phone-password-reset"] as const)
    phoneCodeText(recorded, { phoneNumber: "+4915112345678", code, purpose, expiresAt }, undefined);
  expect(Object.keys(catalogues.en).filter((name) => !used.has(name))).toEqual([]);
});
