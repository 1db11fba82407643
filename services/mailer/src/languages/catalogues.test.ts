import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";
import { en, type TextName } from "./en.ts";
import { locales, sampleMails } from "./sample-mails.fixture.ts";
import { plainBranding } from "./plain-wording.fixture.ts";
import { catalogues, wordingIn } from "./wording.ts";

const names = Object.keys(en) as TextName[];

/** Texts that may equal the English ones, by language. */
const allowed: Record<string, readonly TextName[]> = {};

const placeholdersIn = (elements: readonly MessageFormatElement[]): string[] =>
  elements.flatMap((element) => {
    if (element.type === TYPE.argument) return [element.value];
    if (element.type === TYPE.select || element.type === TYPE.plural)
      return [
        element.value,
        ...Object.values(element.options).flatMap(({ value }) => placeholdersIn(value)),
      ];
    return [];
  });

/** Returns the names of the values that a text includes or depends on. */
const placeholdersOf = (text: string): string[] =>
  [...new Set(placeholdersIn(parse(text, { ignoreTag: true })))].toSorted();

/** Returns the plural categories of a text, if it counts something. */
const pluralsOf = (text: string): string[] =>
  parse(text, { ignoreTag: true }).flatMap((element) =>
    element.type === TYPE.plural
      ? Object.keys(element.options).filter((category) => !category.startsWith("="))
      : [],
  );

/** Returns the choices that a text makes, such as `yes` and `other`. */
const choicesOf = (text: string): string[] =>
  parse(text, { ignoreTag: true }).flatMap((element) =>
    element.type === TYPE.select
      ? [`${element.value}: ${Object.keys(element.options).join()}`]
      : [],
  );

describe.each(locales)("the catalogue of %s", (locale) => {
  const catalogue = catalogues[locale];

  test("has every text and no other", () => {
    expect(Object.keys(catalogue).toSorted()).toEqual([...names].toSorted());
  });

  test.each(names)("has the values and choices of %s", (name) => {
    expect(placeholdersOf(catalogue[name])).toEqual(placeholdersOf(en[name]));
    expect(choicesOf(catalogue[name])).toEqual(choicesOf(en[name]));
  });

  test("has a text for each plural category of the language", () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    const counted = names.filter((name) => pluralsOf(en[name]).length > 0);
    expect(counted).not.toEqual([]);
    for (const name of counted) {
      // Romance languages use `many` only from a million on.
      const needed = pluralCategories.filter((one) => one !== "many" || locale === "ar");
      expect(pluralsOf(catalogue[name]).toSorted()).toEqual([...needed].toSorted());
    }
  });

  /** An apostrophe quotes the braces behind it, which would show a placeholder. */
  test("has typographic apostrophes only", () => {
    expect(Object.values(catalogue).filter((text) => text.includes("'"))).toEqual([]);
  });

  test("has trimmed texts without line breaks", () => {
    expect(Object.values(catalogue).filter((text) => /\n|^\s|\s$/u.test(text))).toEqual([]);
  });
});

test.each(locales.filter((locale) => locale !== "en"))(
  "translates every text into %s",
  (locale) => {
    const same = names.filter((name) => catalogues[locale][name] === en[name]);
    expect(same).toEqual(allowed[locale] ?? []);
  },
);

test("uses every text in some mail", () => {
  const used = new Set<string>();
  const wording = wordingIn("en", "Example", {
    ...plainBranding,
    supportAddress: "help@example.com",
    termsURL: "https://example.com/terms",
    privacyURL: "https://example.com/privacy",
  });
  const recorded = {
    ...wording,
    say: (...[name, values]: Parameters<typeof wording.say>) => {
      used.add(name);
      return wording.say(name, values);
    },
  };
  sampleMails(recorded);
  sampleMails(recorded, { user: "", organization: "", passkey: "" });
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});
