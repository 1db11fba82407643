import { type RawBuilder, sql, type SqlBool } from "kysely";
import { foldedSql } from "./fold-text.ts";
import type { Sql } from "./list.ts";

type Truth = RawBuilder<SqlBool>;

/** Escapes the characters with a meaning in `like`. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** Matches a pattern by code point, as the indexes are ordered. The text is in lower case. */
const like = (text: Sql, pattern: string): Truth =>
  sql`${text} collate "C" like lower(${pattern}) collate "C"`;

/** Matches texts that begin with a term in any case. The text is in lower case. */
export const startsWithText = (text: Sql, term: string): Truth =>
  like(text, `${escapeLike(term)}%`);

/** Matches texts that end with a term in any case. The text is in lower case. */
export const endsWithText = (text: Sql, term: string): Truth => like(text, `%${escapeLike(term)}`);

/** Matches texts that contain a term in any case. The text is in lower case. */
export const containsText = (text: Sql, term: string): Truth => like(text, `%${escapeLike(term)}%`);

/** Matches texts that contain a term, whatever their case and accents are. `indexFolded` builds the index for it. */
export const containsFolded = (schema: string, text: Sql, term: string): Truth =>
  sql`${foldedSql(schema, text)} collate "C" like ${foldedSql(schema, sql`${`%${escapeLike(term)}%`}::text`)} collate "C"`;

/** Returns whether a trigram index serves a term: it needs three letters or digits in a row. */
export const hasTrigram = (term: string): boolean => /[\p{L}\p{N}]{3}/u.test(term);

/** Returns the term of a search as stored texts are written: without blanks around, and composed (NFC). */
export const searchTerm = (text: string | undefined): string => text?.trim().normalize("NFC") ?? "";

/** More words than this are searched as one text. */
const wordsMax = 5;

/** Returns the words of a term, which a match contains in any order. The trigram index must find one of them. */
export const wordsOf = (term: string): string[] => {
  const words = term.split(/\s+/);
  return words.length <= wordsMax && words.some(hasTrigram) ? words : [term];
};

/**
 * Returns the letters before the `@` of a searched address, with it: the part for the index. Half of all addresses may share the
 * domain, and each of its common trigrams costs an index look-up. Shorter local parts such as `info` have many matches.
 */
export const localPart = (term: string): string | undefined =>
  /^[^@]*?([^@]{6,12}@)./su.exec(term)?.[1];

/** Matches addresses that contain a term, like `containsText`, but looks up only the local part if there is one. */
export const containsAddress = (address: Sql, term: string): Truth => {
  const part = localPart(term);
  return part === undefined
    ? containsText(address, term)
    : sql`(${containsText(address, part)} and strpos(${address}, lower(${term})) > 0)`;
};
