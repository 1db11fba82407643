import { z } from "zod";

/** The languages of mails, as BCP 47 tags: the names of their catalogues. */
export const mailLocale = z.enum(["en", "de", "fr", "es", "pt", "ja", "zh", "ar"]);
export type MailLocale = z.output<typeof mailLocale>;

/** The maximum length of an `Accept-Language` header that is read. Browsers send about 40 characters. */
export const acceptLanguageLengthMax = 200;

/** Returns the language of mails that is nearest to a BCP 47 tag, or undefined if there is none, such as for malformed tags. */
export const matchMailLocale = (tag: string): MailLocale | undefined => {
  const [language = ""] = tag.trim().split(/[-_]/, 1);
  return mailLocale.safeParse(language.toLowerCase()).data;
};

/** Returns the value of a language range in `Accept-Language` (RFC 9110, section 12.4.2). Malformed weights count as 0. */
const weightOf = (parameters: readonly string[]): number => {
  const weight = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.test(weight) ? Number(weight.slice(2)) : 0;
};

/** Returns the language of mails that an `Accept-Language` header prefers, or undefined if it names none of them. */
export const preferredMailLocale = (header: string): MailLocale | undefined => {
  const ranges = header
    .slice(0, acceptLanguageLengthMax)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";");
      return { locale: matchMailLocale(tag), weight: weightOf(parameters) };
    });
  return ranges
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0]?.locale;
};
