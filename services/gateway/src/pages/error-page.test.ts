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

test("a long code is cut before it is escaped, so that no entity is cut in two", () => {
  expect(codeOf(errorPage("Latchkey", "&".repeat(500)))).toMatch(/^(&amp;){1,200}$/);
});

test("the policy names the hash of the very style that the page carries", () => {
  const style = /<style>(.*?)<\/style>/s.exec(errorPage("Latchkey", "x"))?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(errorPagePolicy).toContain(`style-src 'sha256-${hash}'`);
});
