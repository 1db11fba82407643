import { expect, test } from "vitest";
import { referencePage, referencePagePolicy } from "./mount-reference.ts";

const page = (document: string, appName = "Latchkey") =>
  referencePage(document, { appName, path: "/docs" });

const embedded = (html: string) =>
  /<script id="api-reference" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? "";

/** Operators configure names in the document. A name that ended the element would be parsed as markup. */
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

test("shows the product's name as text", () => {
  expect(page("{}", "<b>Shop</b> & Co")).toContain(
    "<title>&lt;b&gt;Shop&lt;/b&gt; &amp; Co API reference</title>",
  );
});

test("refers to its files below its own path, whether it was requested with a slash or not", () => {
  const named = [...page("{}").matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(named).toEqual(["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"]);
});

test("the policy forbids inline scripts and styles and requests to other origins", () => {
  expect(referencePagePolicy).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(referencePagePolicy).not.toMatch(/unsafe|https?:|\*/);
});
