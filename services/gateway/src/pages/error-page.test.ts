import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { errorPage } from "./error-page.ts";
import { pageLookOf } from "./page-look.fixture.ts";

const look = pageLookOf("Latchkey");
const codeOf = (html: string) => /<span id="errorCode">(.*?)<\/span>/s.exec(html)?.[1];

test.each([
  ["<script>", "&lt;script&gt;"],
  ['"><img src=x onerror=a>', "&quot;&gt;&lt;img src=x onerror=a&gt;"],
  ["'", "&#39;"],
  ["&lt;", "&amp;lt;"],
  ["$&$`", "$&amp;$`"],
])("shows the code %s as text", (code, shown) => {
  expect(codeOf(errorPage(look, code))).toBe(shown);
});

test("shows the product's name as text", () => {
  const page = errorPage(pageLookOf("<b>Shop</b> & Co"), "x");
  expect(page).toContain('<p data-part="brand">&lt;b&gt;Shop&lt;/b&gt; &amp; Co</p>');
  expect(page).not.toContain("<b>");
});

test.each([
  ["nothing", "", false],
  ["what fills it", "a".repeat(128), true],
  ["what is longer", "a".repeat(129), false],
  ["another line", "access_denied\n", false],
  ["a tab", "a\tb", false],
  ["letters of others", "\u00fc", false],
  ["marks that turn text round", "a\u202eb", false],
  ["words", "No go here!", true],
])("shows only texts that can be a code: %s", (_case, code, isShown) => {
  expect(codeOf(errorPage(look, code))).toBe(isShown ? code : "Unknown");
});

test("makes no requests and links only to the home page", () => {
  const page = errorPage(look, "x");
  const links = [...page.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url);
  expect(links).toEqual(["/"]);
  expect(page).not.toMatch(/<(script|img|link|iframe|form)|url\(|@import/);
});

test("links to the application if its address is known", () => {
  const page = errorPage(look, "x", "https://app.example.com/start");
  expect(page).toContain('<a id="returnLink" href="https://app.example.com/start">');
});

test("the policy contains the hash of the page's style", () => {
  const style = /<style>(.*?)<\/style>/s.exec(errorPage(look, "x"))?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(look.policy("'none'")).toContain(`style-src 'sha256-${hash}'`);
});

test("shows the logo in place of the name, and allows nothing else of its server", () => {
  const branded = pageLookOf("Shop", { logo: "https://shop.example/logo.png?a=1&b=2" });
  expect(errorPage(branded, "x")).toContain(
    '<img src="https://shop.example/logo.png?a=1&amp;b=2" alt="Shop"',
  );
  expect(branded.policy("'none'")).toContain("; img-src https://shop.example; ");
  expect(look.policy("'none'")).not.toContain("img-src");
});
