import { type RawBuilder, sql } from "kysely";
import type { Sql } from "./list.ts";

/** Letters that Unicode does not decompose, and the final form of sigma. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
};

/** Returns a text as searches compare it: in lower case and without accents. Does the same as `foldedSql`. */
export const foldText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[øłđħŧıς]/g, (letter) => plainLetters[letter] ?? letter);

/** Folds a text in SQL, by the function that `indexFolded` creates in a schema. */
export const foldedSql = (schema: string, text: Sql): RawBuilder<unknown> =>
  sql`${sql.id(schema, "fold_text")}(${text})`;
