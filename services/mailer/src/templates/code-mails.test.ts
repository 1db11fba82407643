import type { EventData } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import { emailCodeMail, twoFactorCodeMail } from "./code-mails.ts";
import { signInLinkMail } from "./link-mails.ts";

const code = "482913";
const url = "https://auth.example.com/api/auth/magic-link/verify?token=hush&callbackURL=%2Fhome";
const sent = { email: "ada@example.com", expiresAt: "2030-01-02T03:04:05.000Z" };

type Make = (name: string, appName: string) => ReturnType<typeof twoFactorCodeMail>;
type Purpose = EventData<"email-code.requested">["purpose"];

const withPurpose =
  (purpose: Purpose): Make =>
  (name, appName) =>
    emailCodeMail(plainWording("en", appName), { ...sent, name, code, purpose });

const codeMails: [what: string, make: Make, subject: string, lead: string, advice: string][] = [
  [
    "a second factor",
    (name, appName) =>
      twoFactorCodeMail(plainWording("en", appName), { ...sent, userId: "u1", name, code }),
    "Confirm that it is you at Example",
    "second factor of your account",
    "change your password at Example",
  ],
  [
    "a sign-in",
    withPurpose("sign-in"),
    "Your code to sign in to Example",
    "to sign in to Example",
    "you can ignore this mail",
  ],
  [
    "a verification",
    withPurpose("email-verification"),
    "Verify your email for Example",
    "this is your email for Example",
    "you can ignore this mail",
  ],
  [
    "a password reset",
    withPurpose("forget-password"),
    "Reset your password for Example",
    "to set a new password for your account at Example",
    "your password stays as it is",
  ],
  [
    "a change of address",
    withPurpose("change-email"),
    "Confirm your new email for Example",
    "to use this email for your account at Example",
    "without the code, nothing changes",
  ],
];

describe.each(codeMails)("the code of %s", (_what, make, subject, lead, advice) => {
  const mail = make("Ada", "Example");
  const bodies = [mail.text, mail.html];

  test("is in both bodies, with its purpose, the product and the expiry", () => {
    expect(mail.code).toBe(code);
    expect(mail.text).toContain(`\n${code}\n`);
    for (const body of bodies) {
      for (const part of ["Hello Ada,", code, lead, "on 2 January 2030 at 03:04 UTC", advice])
        expect(body).toContain(part);
      expect(body).toContain("Nobody at Example will ask you for this code.");
    }
  });

  /** Attack: a code is read on a locked screen, or in a list of mails. */
  test("is not in the subject", () => {
    expect(mail.subject).toBe(subject);
  });

  test("comes without a link", () => {
    expect(mail.link).toBeUndefined();
    expect(mail.text + mail.html).not.toMatch(/href|:\/\//);
  });
});

test("the mail of a sign-in link contains it in both bodies, with its expiry and advice", () => {
  const mail = signInLinkMail(plainWording("en", "Example"), { ...sent, name: "Ada", url });
  expect(mail.subject).toBe("Your link to sign in to Example");
  expect(mail.link).toBe(url);
  expect(mail.text).toContain(`\n${url}\n`);
  expect(mail.html).toContain(`href="${url.replace("&", "&amp;")}"`);
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain("Open this link to sign in to Example.");
    expect(body).toContain("on 2 January 2030 at 03:04 UTC");
    expect(body).toContain("Nobody at Example will ask you for this link.");
    expect(body).toContain("If you did not ask for this, do not open the link");
  }
});

const makers: [what: string, make: Make][] = [
  ...codeMails.map(([what, make]): [string, Make] => [what, make]),
  [
    "a sign-in link",
    (name, appName) => signInLinkMail(plainWording("en", appName), { ...sent, name, url }),
  ],
];

describe.each(makers)("the mail of %s", (_what, make) => {
  /** Attack: a "name" that puts a stranger's words into our mail. */
  test.each(["win at evil.example", "Call 0800 555 0100", "<b>evil</b>"])(
    "leaves out the name %j",
    (name) => {
      const mail = make(name, "Example");
      expect(mail.text).toMatch(/^Hello,\n/);
      expect(mail.text + mail.html).not.toContain(name);
    },
  );

  test("greets a reader without a name", () => {
    expect(make("", "Example").text).toMatch(/^Hello,\n/);
  });

  test("escapes the product's name in the HTML", () => {
    expect(make("Ada", "<script>x</script>").html).not.toContain("<script>");
  });

  test("is deleted once it is settled", () => {
    expect(make("Ada", "Example").isDeletedOnceSettled).toBe(true);
  });
});
