/** A rule of STYLE.md that a sentence can break. */
export interface ProseRule {
  name: string;
  isBrokenBy: (sentence: string) => boolean;
}

const pattern = (name: string, broken: RegExp): ProseRule => ({
  name,
  isBrokenBy: (sentence) => broken.test(sentence),
});

const wordsMax = 30;

/** Rules that no sentence may break. */
export const strictRules: readonly ProseRule[] = [
  pattern(
    "starts with a clause",
    /^(?:What|Who|Whoever|Whatever|Where|That which|Of [a-z ]+,)\b(?!.*\?$)/,
  ),
  pattern(
    "translated or old wording",
    /\b(?:no more\b(?! than)|mend(?:s|ed|ing)?|besides|thereby|thereof|whence|wherein|lest|whoever|(?:is|are|was) told|goes on|comes of|for good|is there already|lets nobody|of (?:its|their) own(?= accord)|what is (?:more|less))\b/i,
  ),
  pattern(
    "treats a thing as a person",
    /\b(?:file|row|table|request|service|function|query|test|line|key|lock|job|answer|list)s? (?:who|knows?|wants?|asks? nobody|tells?|hears?|rests?|meets?)\b/i,
  ),
];

/** Few sentences may break this one, because lists and exact conditions can need more words. */
export const lengthRule: ProseRule = {
  name: `has more than ${wordsMax} words`,
  isBrokenBy: (sentence) => sentence.split(/\s+/).length > wordsMax,
};

/** Splits a text into sentences. Code in backticks counts as one word. */
export const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/`[^`]*`/g, "code")
    .split(/(?<=[.!?])\s+(?=[A-Z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
