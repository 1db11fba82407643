/**
 * The languages of all texts, as BCP 47 tags. Add one here first: the compiler then names every place that needs it. This file imports
 * nothing, so that the webs can load it without schemas.
 */
export const languages = ["en", "de", "fr", "es", "pt", "ja", "zh-Hans", "ar"] as const;
export type Language = (typeof languages)[number];

/** The first part of a tag, which names the language without its script or region. */
export type PrimarySubtag<Tag extends string> = Tag extends `${infer Primary}-${string}`
  ? Primary
  : Tag;

/** Returns the first part of a tag. */
export const primarySubtag = <Tag extends string>(tag: Tag) =>
  tag.split("-", 1)[0] as PrimarySubtag<Tag>; // a text up to its first hyphen

/** Returns the language that has the same first part as a BCP 47 tag. Undefined if there is none, such as for malformed tags. */
export const matchLanguage = (tag: string): Language | undefined => {
  const primary = tag.trim().split(/[-_]/, 1)[0]?.toLowerCase();
  return languages.find((language) => primarySubtag(language) === primary);
};

/** The maximum length of an `Accept-Language` header that is read. Browsers send about 40 characters. */
export const acceptLanguageLengthMax = 200;

/** Returns the value of a language range in `Accept-Language` (RFC 9110, section 12.4.2). Malformed weights count as 0. */
const weightOf = (parameters: readonly string[]): number => {
  const weight = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.test(weight) ? Number(weight.slice(2)) : 0;
};

/** Returns the language that an `Accept-Language` header prefers, or undefined if it names none of them. */
export const preferredLanguage = (header: string): Language | undefined => {
  const ranges = header
    .slice(0, acceptLanguageLengthMax)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";");
      return { language: matchLanguage(tag), weight: weightOf(parameters) };
    });
  return ranges
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0]?.language;
};
