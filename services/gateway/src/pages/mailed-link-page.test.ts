import { describe, expect, test } from "vitest";
import { mailedLinkPolicy, outcomePage, questionPage } from "./mailed-link-page.ts";

const form = {
  action: "/api/auth/verify-email",
  fields: { token: "a.b.c", callbackURL: "/in" },
};
const verify = { act: "verify", email: "a…@example.com" } as const;

describe("the confirmation page of a mailed link", () => {
  test("escapes the name, the addresses and the fields of its form", () => {
    const hostile = '"><script>alert(1)</script>';
    const html = questionPage(
      hostile,
      { act: "change", email: hostile, newEmail: hostile },
      { action: hostile, fields: { token: hostile, callbackURL: hostile } },
    );
    expect(html).not.toContain("<script>");
    expect(html.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(7);
  });

  test("names its language, has one heading and a real button", () => {
    const html = questionPage("Shop", verify, form);
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('<button type="submit">Verify address</button>');
    expect(html).toContain("<title>Verify your e-mail address - Shop</title>");
  });

  test("says if it signs in", () => {
    expect(questionPage("Shop", { ...verify, signsIn: true }, form)).toContain(
      "It also signs this browser in to that account.",
    );
    expect(questionPage("Shop", verify, form)).not.toContain("sign");
  });

  test("carries no redirect target if the link has none", () => {
    const html = questionPage("Shop", verify, { ...form, fields: { token: "a.b.c" } });
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
  const html = questionPage("Shop", { act: "sign-in-elsewhere", email: "a…@example.com" }, form);
  expect(html).not.toContain("<form");
  expect(html).toContain("a…@example.com");
});

test.each([
  "verified",
  "deleted",
  "signed in",
  "undone",
  "expired",
  "signed out",
  "not good",
] as const)("the page of the outcome %s has a heading and no form", (outcome) => {
  const html = outcomePage("Shop", outcome);
  expect(html).toMatch(/<h1>[^<]+<\/h1>/);
  expect(html).not.toContain("<form");
});
