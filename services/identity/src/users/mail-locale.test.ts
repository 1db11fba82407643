import { expect, test } from "vitest";
import { chooseMailLocale } from "./mail-locale.ts";

test.each([
  ["the user's language before the browser's", "de-AT", "fr, en", "de"],
  ["the browser's language if the user has none", undefined, "fr, en", "fr"],
  ["the browser's language if the user's is no language of mails", "it", "ja;q=0.5", "ja"],
  ["the browser's language if the field holds no text", 7, "es", "es"],
  ["no language if neither has one", null, undefined, undefined],
])("chooses %s", (_what, own, acceptLanguage, locale) => {
  const caller = acceptLanguage === undefined ? {} : { acceptLanguage };
  expect(chooseMailLocale(own, caller).locale).toBe(locale);
});
