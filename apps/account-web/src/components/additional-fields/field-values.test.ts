import type { SignUpField } from "@latchkey/contracts";
import { expect, test } from "vitest";
import {
  changedValues,
  enteredFields,
  fieldLabel,
  fieldValues,
  profileFields,
  storedTexts,
} from "./field-values.ts";
import { missingFields } from "../../session/missing-fields.ts";

const fields: readonly SignUpField[] = [
  { name: "company", type: "string", required: false, returned: true },
  { name: "seats", type: "number", required: true, returned: true },
  { name: "news", type: "boolean", required: false, returned: true },
];

test("sends each value in the type of its field", () => {
  expect(fieldValues(fields, { company: "Acme", seats: "3", news: false }, "en")).toEqual({
    company: "Acme",
    seats: 3,
    news: false,
  });
});

test("leaves out what is empty or not a field", () => {
  expect(fieldValues(fields, { company: "", other: "x" }, "en")).toEqual({});
});

/** The first mail of a user is in the language of the page. */
test.each([
  ["string", "zh-Hans", "zh-Hans"],
  [["en", "de-AT"], "de", "de-AT"],
] as const)("sends the language that is shown as the locale (%o)", (type, language, locale) => {
  const all: readonly SignUpField[] = [
    ...fields,
    { name: "locale", type, required: true, returned: true },
  ];
  expect(enteredFields(all, language)).toEqual(fields);
  expect(fieldValues(all, {}, language)).toEqual({ locale });
});

test("lets the user choose a locale that the shown language does not name", () => {
  const all: readonly SignUpField[] = [
    { name: "locale", type: ["en", "de"], required: true, returned: true },
  ];
  expect(enteredFields(all, "ja")).toEqual(all);
});

test.each([
  ["company", "Company"],
  ["companyName", "Company name"],
  ["line2Text", "Line2 text"],
])("labels %s as %s", (name, label) => {
  expect(fieldLabel({ name }, "de")).toBe(label);
});

test.each([
  ["Firma", "Firma"],
  [{ en: "Company", de: "Firma" }, "Firma"],
  [{ en: "Company" }, "Company"],
  [{ ja: "会社" }, "Company"],
])("labels a field by its configured label %j as %s", (label, shown) => {
  expect(fieldLabel({ name: "company", label }, "de")).toBe(shown);
});

const born = { name: "born", type: "date", required: false, returned: true } as const;
const locale = { name: "locale", type: "string", required: true, returned: true } as const;
const hidden = { name: "hidden", type: "string", required: true, returned: false } as const;
const user = { company: "Acme", seats: 3, born: "1815-12-10T00:00:00.000Z", locale: "de-AT" };

test("shows stored values in the profile, and the language of mails as one of ours", () => {
  const shown = profileFields([...fields, born, locale, hidden]);
  expect(storedTexts(shown, user)).toEqual({
    company: "Acme",
    seats: "3",
    news: false,
    born: "1815-12-10",
    locale: "de",
  });
});

test("sends only changed values, and removes emptied ones", () => {
  const shown = profileFields([...fields, born, locale]);
  const texts = { ...storedTexts(shown, user), company: "", seats: "4", news: true };
  expect(changedValues(shown, texts, user)).toEqual({ company: null, seats: 4, news: true });
});

test("names the required fields that a user lacks", () => {
  expect(missingFields([...fields, locale, hidden], { company: null })).toEqual([
    fields[1],
    locale,
  ]);
  expect(missingFields([...fields, locale, hidden], user)).toEqual([]);
});
