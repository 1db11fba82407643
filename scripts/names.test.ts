import { expect, test } from "vitest";
import { findRetiredNames } from "./names.ts";

test("reports participles and pronouns that stand alone", () => {
  const text = "const found = 1;\nlet it = 2;\nconst { a: held, b } = c;\nconst [told] = d;";
  expect(findRetiredNames(text)).toEqual(["found", "it", "held", "told"]);
});

test("reports names that begin with a retired verb", () => {
  const text =
    "const askForToken = 1;\nfunction tellAll() {}\ninterface Notes {}\nconst asked = 2;";
  expect(findRetiredNames(text)).toEqual(["askForToken", "tellAll", "asked"]);
});

test("accepts names that say what a value is", () => {
  const text =
    "const foundUser = 1;\nconst task = 2;\nconst { given: input } = e;\ntype Notebook = 3;";
  expect(findRetiredNames(text)).toEqual([]);
});

test("ignores texts and comments", () => {
  const text =
    '/** The type of\n * a class it has. */\nconst a = "let it // be";\nlet b = `the function of`; // let it\nconst held = 1;';
  expect(findRetiredNames(text)).toEqual(["held"]);
});
