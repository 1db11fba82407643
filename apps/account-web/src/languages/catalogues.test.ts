import { describe, expect, test } from "vitest";
import { languages } from "./languages.ts";

interface Messages {
  readonly [key: string]: string | Messages;
}

const catalogues = import.meta.glob<Messages>("./*/*/index.ts", {
  eager: true,
  import: "messages",
});

/** Returns each message by its path, such as `signIn.linkSent.title`. */
const flatten = (messages: Messages, prefix = ""): [path: string, text: string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );

const messagesOf = (tag: string, group: string): ReadonlyMap<string, string> =>
  new Map(flatten(catalogues[`./${tag}/${group}/index.ts`] ?? {}));

/** Terms that have no other name in languages of the Latin alphabet. */
const technical = ["URL", "Webhook", "Webhooks"];

/** Texts that a language shares with English. */
const sharedTexts: Readonly<Record<string, readonly string[]>> = {
  de: [...technical, "Code", "Logo", "Name", "Passkeys", "Support", "Team", "Teams"],
  fr: [...technical, "Active", "Code", "Description", "Invitations", "Logo", "Menu", "Sessions"],
  es: technical,
  pt: [...technical, "Menu"],
};

const pluralForm = /_(zero|one|two|few|many|other)$/;

/** Returns the plural forms that a language needs. Romance languages use `many` only from a million on. */
const pluralFormsOf = (tag: string): string[] =>
  new Intl.PluralRules(tag)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== "many" || tag === "ar");

/** Returns the paths that a catalogue needs, with the plural forms of its language. */
const neededPaths = (english: Iterable<string>, tag: string): string[] =>
  [...english].flatMap((path) => {
    if (!pluralForm.test(path)) return [path];
    // Each counted message has one `other`, which stands for all of its forms.
    if (!path.endsWith("_other")) return [];
    return pluralFormsOf(tag).map((form) => path.replace(pluralForm, `_${form}`));
  });

/** Returns the placeholders and tags of a text. `{{- name}}` is the same value as `{{name}}`, without isolates. */
const placeholdersOf = (text: string): string[] =>
  [...new Set(text.replaceAll("{{- ", "{{").match(/\{\{.*?\}\}|<\/?\w+\/?>|\$t\(/g))].toSorted();

/** A form for exactly one number may write it as a word. */
const nameOneNumber = /_(zero|one|two)$/;
const withoutCount = (path: string, names: string[]): string[] =>
  nameOneNumber.test(path) ? names.filter((name) => name !== "{{count}}") : names;

const translated = languages.map(({ tag }) => tag).filter((tag) => tag !== "en");

describe.each(["front", "account"])("the messages of the group %s", (group) => {
  const english = messagesOf("en", group);

  test("exist in English", () => {
    expect(english.size).toBeGreaterThan(0);
  });

  describe.each(translated)("in %s", (tag) => {
    const messages = messagesOf(tag, group);

    test("are complete, and no others exist", () => {
      expect([...messages.keys()].toSorted()).toEqual(neededPaths(english.keys(), tag).toSorted());
    });

    test("have the placeholders of the English ones", () => {
      const differing = [...messages].filter(([path, text]) => {
        const original = english.get(path) ?? english.get(path.replace(pluralForm, "_other")) ?? "";
        const [own, needed] = [text, original].map((one) =>
          withoutCount(path, placeholdersOf(one)).join(),
        );
        return own !== needed;
      });
      expect(differing).toEqual([]);
    });

    test("differ from the English ones", () => {
      const same = [...messages].filter(
        ([path, text]) => text === english.get(path) && !sharedTexts[tag]?.includes(text),
      );
      expect(same).toEqual([]);
    });

    test("have typographic apostrophes, and no space at their ends", () => {
      expect([...messages].filter(([, text]) => /'|\n|^\s|\s$/u.test(text))).toEqual([]);
    });
  });
});
