import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { errorPage, errorPagePolicy } from "./error-page.ts";

const codeOf = (html: string) => /<span id="errorCode">(.*?)<\/span>/s.exec(html)?.[1];

test.each([
  ["<script>", "&lt;script&gt;"],
  ['"><img src=x onerror=a>', "&quot;&gt;&lt;img src=x onerror=a&gt;"],
  ["'", "&#39;"],
  ["&lt;", "&amp;lt;"],
  ["$&$`", "$&amp;$`"],
])("the code %s is shown as text", (code, shown) => {
  expect(codeOf(errorPage("Latchkey", code))).toBe(shown);
});

test("the product's name is shown as text", () => {
  const page = errorPage("<b>Shop</b> & Co", "x");
  expect(page).toContain("<h1>&lt;b&gt;Shop&lt;/b&gt; &amp; Co</h1>");
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
])("of the code no more is shown than what may be one: %s", (_case, code, isShown) => {
  expect(codeOf(errorPage("Latchkey", code))).toBe(isShown ? code : "Unknown");
});

test("the page asks nobody for anything and leads nowhere but home", () => {
  const page = errorPage("Latchkey", "x");
  const links = [...page.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url);
  expect(links).toEqual(["/"]);
  expect(page).not.toMatch(/<(script|img|link|iframe|form)|url\(|@import/);
});

test("the policy names the hash of the very style that the page carries", () => {
  const style = /<style>(.*?)<\/style>/s.exec(errorPage("Latchkey", "x"))?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(errorPagePolicy).toContain(`style-src 'sha256-${hash}'`);
});
