import { expect, test } from "vitest";
import { languages, matchLanguage, preferredLanguage } from "./languages.ts";
import { chooseMailLocale, mailLocale } from "./mail-locale.ts";

test.each([
  ["de", "de"],
  ["de-CH", "de"],
  ["DE_at", "de"],
  ["pt-BR", "pt"],
  ["zh-Hans-CN", "zh-Hans"],
  ["zh", "zh-Hans"],
  ["zh_TW", "zh-Hans"],
  [" ar-EG ", "ar"],
  ["den", undefined],
  ["it", undefined],
  ["*", undefined],
  ["", undefined],
  ["constructor", undefined],
  ["../de", undefined],
])("matches %j with %j", (tag, language) => {
  expect(matchLanguage(tag)).toBe(language);
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
])("prefers of %.50j the language %j", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

test.each([
  ["the user's language before the browser's", "de-AT", "fr, en", "de"],
  ["the browser's language if the user has none", undefined, "fr, en", "fr"],
  ["the browser's language if the user's is no language of mails", "it", "ja;q=0.5", "ja"],
  ["the browser's language if the field holds no text", 7, "es", "es"],
  ["Chinese by its first part, as stored events name it", "zh-Hans-CN", undefined, "zh"],
  ["no language if neither has one", null, undefined, undefined],
])("chooses %s", (_what, own, acceptLanguage, locale) => {
  const caller = acceptLanguage === undefined ? {} : { acceptLanguage };
  expect(chooseMailLocale(own, caller).locale).toBe(locale);
});

/** Stored mails, waiting events and configuration files contain these values. */
test("names the languages of mails by the values that are stored", () => {
  expect(mailLocale.options).toEqual(["en", "de", "fr", "es", "pt", "ja", "zh", "ar"]);
  expect(mailLocale.options.map(matchLanguage)).toEqual(languages);
});
