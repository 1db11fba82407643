import { lazyValue } from "./lazy-value.ts";

const segmenter = lazyValue(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** An ASCII letter is a whole grapheme if nothing follows that could combine with it. */
const startsPlainly = /^\w(?:\w|$)/;

const firstOf = (word: string): string => {
  if (startsPlainly.test(word)) return word.charAt(0);
  for (const { segment } of segmenter().segment(word)) return segment;
  return "";
};

/** Returns the first letters of the first and last word of a name, in any script. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const ends = words.length > 1 ? [words[0] ?? "", words.at(-1) ?? ""] : words;
  return ends.map(firstOf).join("").toLocaleUpperCase("en") || "?";
};
