import type { MailedLinkQuestion } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { mailedLinkPolicy, outcomePage, questionPage } from "./mailed-link-page.ts";
import { pageLookOf } from "./page-look.fixture.ts";

const form = {
  action: "/api/auth/verify-email",
  fields: { token: "a.b.c", callbackURL: "/in" },
};
const reader = { look: pageLookOf("Shop"), language: "en" } as const;
const verify = { act: "verify", email: "a…@example.com" } as const;

describe("the confirmation page of a mailed link", () => {
  test("escapes the name, the addresses and the fields of its form", () => {
    const hostile = '"><script>alert(1)</script>';
    const html = questionPage(
      { ...reader, look: pageLookOf(hostile) },
      { act: "change", email: hostile, newEmail: hostile },
      { action: hostile, fields: { token: hostile, callbackURL: hostile } },
    );
    expect(html).not.toContain("<script>");
    expect(html.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(8);
  });

  test("names its language, has one heading and a real button", () => {
    const html = questionPage(reader, verify, form);
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('<button type="submit">Verify email</button>');
    expect(html).toContain("<title>Verify your email - Shop</title>");
  });

  test("says if it signs in", () => {
    expect(questionPage(reader, { ...verify, signsIn: true }, form)).toContain(
      "It also signs this browser in to that account.",
    );
    expect(questionPage(reader, verify, form)).not.toContain("sign");
  });

  test("names what a sign-in removes, and offers the password", () => {
    const question: MailedLinkQuestion = {
      act: "sign-in",
      email: "a…@example.com",
      ends: ["password", "passkeys"],
    };
    const html = questionPage(reader, question, {
      ...form,
      signInPath: "/account/sign-in",
    });
    expect(html.match(/<li>.*<\/li>/g)).toEqual(["<li>the password</li>", "<li>the passkeys</li>"]);
    expect(html).toContain('<a href="/account/sign-in">Sign in with the password</a>');
    expect(html).toContain('<button type="submit" class="danger">Remove and sign in</button>');
  });

  test("offers no password to a user without one", () => {
    const question: MailedLinkQuestion = { act: "sign-in", email: "a…", ends: ["accounts"] };
    const html = questionPage(reader, question, form);
    expect(html).toContain("<li>the linked accounts</li>");
    expect(html).not.toContain("Sign in with the password");
  });

  test("carries no redirect target if the link has none", () => {
    const html = questionPage(reader, verify, { ...form, fields: { token: "a.b.c" } });
    expect(html).not.toContain("callbackURL");
  });
});

test.each([
  [[], "'self'"],
  [["/in"], "'self'"],
  [["https://app.example.com:8443/in?a=b;c"], "'self' https://app.example.com:8443"],
  [["myapp:in;script-src"], "'self' myapp:"],
  [["https://a.example/1", "https://a.example/2", "myapp://in"], "'self' https://a.example myapp:"],
])("its policy allows the form to lead to %j as %s", (targets, allowed) => {
  expect(mailedLinkPolicy(pageLookOf("Shop"), targets)).toContain(
    `; form-action ${allowed}; frame-ancestors`,
  );
});

test("a link that acts only in another browser shows no form", () => {
  const html = questionPage(reader, { act: "sign-in-elsewhere", email: "a…@example.com" }, form);
  expect(html).not.toContain("<form");
  expect(html).toContain("a…@example.com");
});

test("a change of address asks to sign in first where its user has no session", () => {
  const question = { act: "change-elsewhere", email: "a…@a.example", newEmail: "b…" } as const;
  const html = questionPage(reader, question, { ...form, signInPath: "/account/sign-in" });
  expect(html).not.toContain("<form");
  expect(html).toMatch(/<h1>Sign in first<\/h1>/);
  expect(html).toContain("a…@a.example");
  expect(html).toContain("then open the link again");
  expect(html).toContain('<a href="/account/sign-in">Sign in</a>');
  expect(questionPage(reader, question, form)).not.toContain("<a ");
});

test.each([
  "verified",
  "deleted",
  "signedIn",
  "undone",
  "expired",
  "signedOut",
  "notGood",
] as const)("the page of the outcome %s has a heading and no form", (outcome) => {
  const html = outcomePage(reader, outcome);
  expect(html).toMatch(/<h1>[^<]+<\/h1>/);
  expect(html).not.toContain("<form");
});

test("is in the language of its reader, and in its direction", () => {
  const inArabic = { look: pageLookOf("Shop"), language: "ar" } as const;
  const html = questionPage(inArabic, verify, form);
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('<strong dir="ltr">a…@example.com</strong>');
  expect(outcomePage({ look: pageLookOf("Shop"), language: "zh-Hans" }, "verified")).toContain(
    '<html lang="zh-Hans">',
  );
});
