import { type ErrorCode, errorCatalogue, wireCode } from "@latchkey/contracts";
import { languages } from "@latchkey/contracts/languages.ts";
import { describe, expect, test } from "vitest";
import { loadAdminTexts } from "./admin.ts";
import { adminErrors, errors } from "./en/errors.ts";
import { mails } from "./mails.ts";
import { parseMessage, type Part, type TextTree } from "./message.ts";
import { pages } from "./pages.ts";
import { loadWebTexts } from "./webs.ts";

type Texts = ReadonlyMap<string, string>;

/** Returns each text by its path, such as `signIn.linkSent.title`. */
const flatten = (tree: TextTree, prefix = ""): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );

/** The texts of each catalogue, by language. */
const catalogues: Readonly<Record<string, Readonly<Record<string, Texts>>>> = Object.fromEntries(
  await Promise.all(
    languages.map(async (language) => [
      language,
      {
        mails: new Map(flatten(mails[language])),
        pages: new Map(flatten(pages[language])),
        front: new Map(flatten(await loadWebTexts(language, "front"))),
        account: new Map(flatten(await loadWebTexts(language, "account"))),
        admin: new Map(flatten(await loadAdminTexts(language))),
      },
    ]),
  ),
);

const textsOf = (language: string, catalogue: string): Texts =>
  catalogues[language]?.[catalogue] ?? new Map();

/** Terms that have no other name. */
const technical = [
  "Captcha",
  "Hooks",
  "ID",
  "ID {id}",
  "OpenAPI",
  "URL",
  "Webhook",
  "{party} (ID)",
];
/** Their plurals in languages of the Latin alphabet. */
const technicalPlurals = [
  "Webhooks",
  "webhooks",
  "{count, plural, one {# webhook} other {# webhooks}}",
];

/** Texts that a language shares with English. */
const sharedTexts: Readonly<Record<string, readonly string[]>> = {
  de: [
    ...technicalPlurals,
    "Branding",
    "Client",
    "Clients",
    "Code",
    "Format",
    "In UTC.",
    "Installation",
    "Links",
    "Live",
    "Logo",
    "Name",
    "Option",
    "Passkey",
    "Passkeys",
    "Scopes",
    "Slug",
    "Support",
    "System",
    "Team",
    "Teams",
  ],
  fr: [
    ...technicalPlurals,
    "Action",
    "Actions",
    "Active",
    "Applications",
    "Client",
    "Clients",
    "Code",
    "Configuration",
    "Contact",
    "Description",
    "Format",
    "Image",
    "Installation",
    "Invitations",
    "Logo",
    "Machine",
    "Menu",
    "Option",
    "Options",
    "Page",
    "Secret",
    "Service",
    "Session",
    "Sessions",
    "Type",
    "clients",
    "invitations",
    "minutes",
    "options",
    "sessions",
    "{count, plural, one {# client} other {# clients}}",
    "{count, plural, one {# minute} other {# minutes}}",
    "{count, plural, one {# option} other {# options}}",
  ],
  es: [...technicalPlurals, "Error", "General", "No", "Roles", "Roles ({count})", "roles"],
  pt: [...technicalPlurals, "Link", "Links", "Logs", "Menu"],
};

/** Whether a text has words beside its values. */
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ""));

/** Returns the plural forms that a language needs. Romance languages use `many` only from a million on. */
const pluralFormsOf = (language: string): string[] =>
  new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== "many" || language === "ar");

/** Returns all parts of a message, also those inside choices. */
const allParts = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part) =>
    typeof part === "object" && "options" in part
      ? [part, ...[...part.options.values()].flatMap(allParts)]
      : [part],
  );

const valuesOf = (text: string) =>
  allParts(parseMessage(text)).filter((part) => typeof part === "object");

/** Returns the names of the values of a text. `{name, raw}` is the same value as `{name}`. */
const namesOf = (text: string): string[] =>
  [...new Set(valuesOf(text).map(({ name }) => name))].toSorted();

/** Returns the choices of a text, and whether each is by a number. */
const choicesOf = (text: string) =>
  valuesOf(text).flatMap((part) =>
    "options" in part
      ? [{ kind: part.kind, name: part.name, forms: [...part.options.keys()] }]
      : [],
  );

/** Returns what a text chooses by other values than numbers, such as `owner: user, other`. */
const selectionsOf = (text: string): string[] =>
  choicesOf(text)
    .filter(({ kind }) => kind === "select")
    .map(({ name, forms }) => `${name}: ${forms.join(", ")}`);

describe.each(["mails", "pages", "front", "account", "admin"])(
  "the texts of the catalogue %s",
  (catalogue) => {
    const english = textsOf("en", catalogue);

    test("exist in English", () => {
      expect(english.size).toBeGreaterThan(10);
    });

    describe.each(languages)("in %s", (language) => {
      const texts = textsOf(language, catalogue);

      /** Returns the texts for which a condition does not hold. */
      const failing = (holds: (text: string, original: string) => boolean): [string, string][] =>
        [...texts].filter(([path, text]) => !holds(text, english.get(path) ?? ""));

      test("are complete, and no others exist", () => {
        expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
      });

      test("have the values and choices of the English ones", () => {
        const factsOf = (text: string): string =>
          JSON.stringify([namesOf(text), selectionsOf(text)]);
        expect(failing((text, original) => factsOf(text) === factsOf(original))).toEqual([]);
      });

      test("have each plural form of the language", () => {
        const needed = pluralFormsOf(language).toSorted().join();
        const hasForms = (text: string): boolean =>
          choicesOf(text)
            .filter(({ kind }) => kind === "plural")
            .every(
              ({ forms }) =>
                forms
                  .filter((one) => !one.startsWith("="))
                  .toSorted()
                  .join() === needed,
            );
        expect(failing(hasForms)).toEqual([]);
      });

      /** A value without a case would otherwise show nothing. */
      test("have a text for every other value of a choice", () => {
        expect(
          failing((text) => choicesOf(text).every(({ forms }) => forms.includes("other"))),
        ).toEqual([]);
      });

      test("have typographic apostrophes, and no line break or space at their ends", () => {
        expect(failing((text) => !/'|\n|^\s|\s$/u.test(text))).toEqual([]);
      });

      test("are translated", () => {
        const own = language === "en" ? [...english.values()] : (sharedTexts[language] ?? []);
        const shared = new Set([...technical, ...own]);
        expect(
          failing((text, original) => text !== original || shared.has(text) || !hasWords(text)),
        ).toEqual([]);
      });
    });

    test("say email in English, and not e-mail", () => {
      expect([...english].filter(([, text]) => /e-mail/i.test(text))).toEqual([]);
    });
  },
);

/** They are found by the code of an error, so nobody gives them values. */
test("the texts of error codes have no values", () => {
  for (const language of languages) {
    const texts = [...textsOf(language, "front"), ...textsOf(language, "account")];
    const ofCodes = texts.filter(([path]) => /^(?:errors\.codes|accountErrors)\./.test(path));
    expect(ofCodes.length).toBeGreaterThan(10);
    expect(ofCodes.filter(([, text]) => text.includes("{"))).toEqual([]);
  }
});

test("every code with a text is one that Latchkey answers with", async () => {
  const { accountErrors } = await loadWebTexts("en", "account");
  const answered = new Set(Object.keys(errorCatalogue).map((code) => wireCode(code as ErrorCode)));
  const codes = [errors.codes, adminErrors.codes, accountErrors].flatMap((texts) =>
    Object.keys(texts ?? {}),
  );
  expect(codes.filter((code) => !answered.has(code))).toEqual([]);
});
