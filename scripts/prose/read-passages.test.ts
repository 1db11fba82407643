import { expect, test } from "vitest";
import { readPassages } from "./read-passages.ts";

test("reads comments with their first line, and the texts of logs and errors", () => {
  const source = [
    "/**",
    " * Returns a user.",
    " * Throws without one.",
    " */",
    "const a = 1; // kept",
    'logger.warn({ id }, "failed to link the account");',
    'throw new Error("the stack did not start in time");',
    "// oxlint-disable-next-line no-console",
  ].join("\n");
  expect(readPassages("a.ts", source)).toEqual([
    { line: 1, text: " Returns a user. Throws without one. " },
    { line: 6, text: "failed to link the account" },
    { line: 7, text: "the stack did not start in time" },
  ]);
});

test("reads paragraphs and list items of Markdown without headings, tables and code", () => {
  const page = [
    "# Title",
    "",
    "One line",
    "and another.",
    "",
    "- first",
    "- second",
    "  on two lines",
    "",
    "| a |",
    "```sh",
    "npm test",
    "```",
  ];
  expect(readPassages("a.md", page.join("\n"))).toEqual([
    { line: 3, text: "One line and another." },
    { line: 6, text: "first" },
    { line: 7, text: "second on two lines" },
  ]);
});
