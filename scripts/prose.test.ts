import { describe, expect, test } from "vitest";
import { lengthRule, readPassages, sentencesOf, strictRules } from "./prose.ts";

const isBroken = (sentence: string) => strictRules.some((rule) => rule.isBrokenBy(sentence));

describe("a sentence", () => {
  test.each([
    "What it works with.",
    "Whoever asks is refused.",
    "The fault is mended in the next release.",
    "The row knows its owner.",
    "It is deleted for good.",
  ])("is reported: %s", (sentence) => {
    expect(isBroken(sentence)).toBe(true);
  });

  test.each([
    "Returns the caller's permissions.",
    "What does a session cost?",
    "It takes no more than a second.",
    "The service rejects the request.",
  ])("is accepted: %s", (sentence) => {
    expect(isBroken(sentence)).toBe(false);
  });

  test("is long with more than 30 words", () => {
    const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
    expect(lengthRule.isBrokenBy(words(30))).toBe(false);
    expect(lengthRule.isBrokenBy(words(31))).toBe(true);
  });
});

test("code counts as one word, and a dot in it ends no sentence", () => {
  expect(sentencesOf("Use `npm run prose. Now`. Then commit.")).toEqual([
    "Use code.",
    "Then commit.",
  ]);
});

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
