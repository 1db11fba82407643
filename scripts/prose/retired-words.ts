/** Words of docs/glossary.md's section on retired words that have no other meaning here. */
export const retiredWords: readonly RegExp[] = [
  /\bhouses?\b(?!-)/,
  /\bdoors?\b/,
  /\b(?:talk|Talk)(?:s|ing)?\b/,
  /\bconverses?\b/,
  /\bfolk\b/,
  /\bmend(?:s|ed|ing)?\b/,
  /\bbrought id token/,
  /\blone token/i,
  /\bLoneToken\b/,
];
