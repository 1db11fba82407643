import { describe, expect, test } from "vitest";
import { lengthRule, sentencesOf, strictRules } from "./prose-rules.ts";

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
