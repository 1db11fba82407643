const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

const firstOf = (word: string): string => {
  for (const { segment } of segmenter.segment(word)) return segment;
  return "";
};

/** The first letters of the first and the last word of a name, whatever script it is in. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const ends = words.length > 1 ? [words[0] ?? "", words.at(-1) ?? ""] : words;
  return ends.map(firstOf).join("").toLocaleUpperCase("en") || "?";
};
