import { expect, test } from "vitest";
import { matchMailLocale, preferredMailLocale } from "./mail-locale.ts";

test.each([
  ["de", "de"],
  ["de-CH", "de"],
  ["DE_at", "de"],
  ["pt-BR", "pt"],
  ["zh-Hans-CN", "zh"],
  ["zh-TW", "zh"],
  [" ar-EG ", "ar"],
  ["den", undefined],
  ["it", undefined],
  ["*", undefined],
  ["", undefined],
  ["constructor", undefined],
  ["../de", undefined],
])("matches %j with %j", (tag, locale) => {
  expect(matchMailLocale(tag)).toBe(locale);
});

test.each([
  ["fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"],
  ["it, en;q=0.2, ja;q=0.9", "ja"],
  ["de;q=0, es;q=0.1", "es"],
  ["en;q=0.5,de;q=0.5", "en"],
  ["de;Q=0.3, fr ; q=1.000", "fr"],
  ["de;q=2, es;q=0.1", "es"],
  ["it, *", undefined],
  ["", undefined],
  [";;,,q=", undefined],
  [`${"it, ".repeat(1_000)}de`, undefined],
])("prefers of %.50j the language %j", (header, locale) => {
  expect(preferredMailLocale(header)).toBe(locale);
});
