/**
 * Returns whether the whole text matches a pattern of one segment: `*` is any run of characters, `?` exactly one. `/` and `\` match
 * neither,
 * so a text that contains one never matches.
 *
 * Backtracks only to the latest star, so the work is at most pattern length times text length. A regular expression with several stars
 * would let a crafted text stall the process.
 */
export function wildcardMatch(pattern: string, text: string): boolean {
  if (text.includes("/") || text.includes("\\")) return false;
  let patternAt = 0;
  let textAt = 0;
  let starAt = -1;
  let starEnd = 0;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === "*") {
      starAt = patternAt++;
      starEnd = textAt;
    } else if (wanted === "?" || wanted === text[textAt]) {
      patternAt++;
      textAt++;
    } else if (starAt >= 0) {
      patternAt = starAt + 1;
      textAt = ++starEnd;
    } else {
      return false;
    }
  }
  while (pattern[patternAt] === "*") patternAt++;
  return patternAt === pattern.length;
}
