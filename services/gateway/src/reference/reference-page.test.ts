import { expect, test } from "vitest";
import { referencePage, referencePagePolicy } from "./reference-page.ts";

const page = (document: string, appName = "Latchkey") =>
  referencePage(document, { appName, path: "/docs" });

const embedded = (html: string) =>
  /<script id="api-reference" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? "";

/** Names that an operator configures stand in the document; one that ended the element would be read as markup. */
test.each([
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "]]>",
  "\\u003c/script>",
  "$&$`$'",
  "\u2028\u2029",
])("the text %j in the document neither ends its element nor changes", (text) => {
  const html = page(JSON.stringify({ text }));
  expect(embedded(html)).not.toContain("<");
  expect(JSON.parse(embedded(html))).toEqual({ text });
  expect(html.match(/<script\b/g)).toHaveLength(3);
});

test("the product's name is shown as text", () => {
  expect(page("{}", "<b>Shop</b> & Co")).toContain(
    "<title>&lt;b&gt;Shop&lt;/b&gt; &amp; Co API reference</title>",
  );
});

test("the files are named below the page's own path, whether it was asked for with a slash or not", () => {
  const named = [...page("{}").matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(named).toEqual(["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"]);
});

test("the policy lets no inline script or style run and nobody else be asked", () => {
  expect(referencePagePolicy).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(referencePagePolicy).not.toMatch(/unsafe|https?:|\*/);
});
