import { describe, expect, test } from "vitest";
import { linkTexts } from "./link-texts/link-texts.ts";
import { mailedLinkPolicy, outcomePage, questionPage } from "./mailed-link-page.ts";

const form = {
  action: "/api/auth/verify-email",
  fields: { token: "a.b.c", callbackURL: "/in" },
};
const reader = { appName: "Shop", locale: "en" } as const;
const verify = { act: "verify", email: "a…@example.com" } as const;

describe("the confirmation page of a mailed link", () => {
  test("escapes the name, the addresses and the fields of its form", () => {
    const hostile = '"><script>alert(1)</script>';
    const html = questionPage(
      { ...reader, appName: hostile },
      { act: "change", email: hostile, newEmail: hostile },
      { action: hostile, fields: { token: hostile, callbackURL: hostile } },
    );
    expect(html).not.toContain("<script>");
    expect(html.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(7);
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
  expect(mailedLinkPolicy(targets)).toContain(`; form-action ${allowed}; frame-ancestors`);
});

test("a link that acts only in another browser shows no form", () => {
  const html = questionPage(reader, { act: "sign-in-elsewhere", email: "a…@example.com" }, form);
  expect(html).not.toContain("<form");
  expect(html).toContain("a…@example.com");
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

const placeholdersOf = (texts: object) => {
  const all: string[] = [];
  JSON.stringify(texts, (_, value: unknown) => {
    if (typeof value === "string") all.push([...value.matchAll(/\{\w+\}/g)].toSorted().join());
    return value;
  });
  return all;
};

test.each(Object.entries(linkTexts))("the texts in %s name the same values", (_, texts) => {
  expect(placeholdersOf(texts)).toEqual(placeholdersOf(linkTexts.en));
});

test("is in the language of its reader, and in its direction", () => {
  const inArabic = { appName: "Shop", locale: "ar" } as const;
  const html = questionPage(inArabic, verify, form);
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('<strong dir="ltr">a…@example.com</strong>');
  expect(outcomePage({ appName: "Shop", locale: "zh" }, "verified")).toContain(
    '<html lang="zh-Hans">',
  );
});
