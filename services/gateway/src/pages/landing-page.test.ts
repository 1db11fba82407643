import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isLanding, landingPage } from "./landing-page.ts";
import { pageLookOf } from "./page-look.fixture.ts";

const pageOf = (path: string, search = "", appURLs: string[] = []) =>
  landingPage(
    { look: pageLookOf("<b>Shop</b>"), appURLs },
    { path, query: new URLSearchParams(search) },
  );
const titleOf = (html: string) => /<h1>(.*?)<\/h1>/s.exec(html)?.[1];

test.each([
  ["/", true],
  ["/accept-invitation/i1", true],
  ["/accept-invitation", false],
  ["/accept-invitation/i1/more", false],
  ["/home", false],
  ["/api/auth", false],
])("whether our links may lead to the path %s: %s", (path, expected) => {
  expect(isLanding(path)).toBe(expected);
});

test.each([
  ["/", "", "Nothing more to do here"],
  ["/", "error=token_expired", "This link did not work"],
  ["/", "token=abc", "Choose a new password"],
  ["/accept-invitation/i1", "", "You have been invited"],
])("the page for %s?%s has the title %s", (path, search, title) => {
  expect(titleOf(pageOf(path, search))).toBe(title);
});

/** Attack: a link that makes the page show or do something chosen by the attacker. */
test("shows nothing of its URL, and the product's name as text", () => {
  const html = pageOf("/accept-invitation/evil1", "error=evil2&token=evil3");
  expect(html).not.toMatch(/evil|<b>|<(script|img|link|iframe|form)|url\(/);
  expect(html).toContain("&lt;b&gt;Shop&lt;/b&gt;");
});

test("links to the application if its address is known, otherwise to nothing", () => {
  expect(pageOf("/", "", ["https://app.example.com/a"])).toContain(
    'href="https://app.example.com/a"',
  );
  expect(pageOf("/")).not.toContain("href=");
});

test("the policy contains the hash of the page's style", () => {
  const style = /<style>(.*?)<\/style>/s.exec(pageOf("/"))?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(pageLookOf("<b>Shop</b>").policy("'none'")).toContain(`style-src 'sha256-${hash}'`);
});
