import { describe, expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import {
  accountDeletionMail,
  emailChangeMail,
  passwordResetMail,
  userInvitationMail,
} from "./link-mails.ts";
import { emailChangedMail } from "./security-notices.ts";

const url = "https://auth.example.com/api/auth/somewhere?token=a.b.c&callbackURL=%2Fhome";
const data = { userId: "u1", email: "ada@example.com", name: "Ada", url };

const mails = {
  "password reset": {
    make: (name: string, appName: string) =>
      passwordResetMail(plainWording("en", appName), { ...data, name }),
    subject: "Reset your password for Example",
  },
  "user invitation": {
    make: (name: string, appName: string) =>
      userInvitationMail(plainWording("en", appName), { ...data, name }),
    subject: "You are invited to Example",
  },
  "account deletion": {
    make: (name: string, appName: string) =>
      accountDeletionMail(plainWording("en", appName), { ...data, name }),
    subject: "Confirm the deletion of your account at Example",
  },
  "email change": {
    make: (name: string, appName: string) =>
      emailChangeMail(plainWording("en", appName), { ...data, name, newEmail: "ada@new.example" }),
    subject: "Confirm your new email for Example",
  },
  "changed email": {
    make: (name: string, appName: string) =>
      emailChangedMail(plainWording("en", appName), { ...data, name, newEmail: "ada@new.example" }),
    subject: "Your email for Example was changed",
  },
};

test.each([emailChangeMail, emailChangedMail])(
  "mail %# about a new email shows its domain in Unicode",
  (makeMail) => {
    const newEmail = "ada@xn--mller-kva.example";
    const mail = makeMail(plainWording("en", "Example"), { ...data, newEmail });
    expect(mail.text).toContain("ada@müller.example");
    expect(mail.html).toContain("ada@müller.example");
  },
);

describe.each(Object.entries(mails))("the mail of a %s", (_what, { make, subject }) => {
  test("names the user and contains the link in both bodies", () => {
    const mail = make("Ada", "Example");
    expect(mail.subject).toBe(subject);
    expect(mail.link).toBe(url);
    expect(mail.text).toContain(`Hello Ada,`);
    expect(mail.text).toContain(`\n${url}\n`);
    expect(mail.html).toContain(`href="${url.replace("&", "&amp;")}"`);
  });

  /** Attack: a "name" that puts a stranger's words into our mail. */
  test("leaves out a name that could carry a link", () => {
    const mail = make("win at evil.example", "Example");
    expect(mail.text + mail.html).not.toContain("evil.example");
  });

  test("escapes the product's name in the HTML", () => {
    expect(make("Ada", "<script>x</script>").html).not.toContain("<script>");
  });
});

test("says until when the link of an invitation works", () => {
  const expiresAt = "2030-01-02T03:04:05.000Z";
  const mail = userInvitationMail(plainWording("en", "Example"), { ...data, expiresAt });
  expect(mail.text).toContain("The link works once, until 2 January 2030 at 03:04 UTC.");
});

test("names the new address in the mail of an email change", () => {
  const mail = mails["email change"].make("Ada", "Example");
  expect(mail.text).toContain("ada@new.example");
});

test("says in the mail of a changed email what the link does, and until when", () => {
  const mail = emailChangedMail(plainWording("en", "Example"), {
    ...data,
    newEmail: "ada@new.example",
    expiresAt: "2030-01-02T03:04:05.000Z",
  });
  expect(mail.text).toContain("was changed to ada@new.example.");
  expect(mail.text).toContain("undo the change by this link until 2 January 2030 at 03:04 UTC.");
  expect(mail.text).toContain("do not open the link: there is nothing to do");
});
