/** The longest address of RFC 5321, with a margin for addresses that exceed it. */
export const emailLengthMax = 320;

/** Atoms separated by dots, the `Dot-string` of RFC 5321. Browsers accept the same letters in `<input type="email">`. */
const localPart = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** A dot and a top-level domain are required. The latter consists of letters, or is a Punycode label. */
const asciiDomain = /^(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/;
/** ASCII other than letters, digits, hyphens and dots has a meaning of its own in a URL. */
const meansMoreInUrl = /[\0-,/:-@[-`{-\x7f]/;

/** Returns a domain in ASCII and lower case (UTS 46), or undefined. `URL` does the same in browsers and in Node. */
const domainToAscii = (domain: string): string | undefined =>
  meansMoreInUrl.test(domain) ? undefined : URL.parse(`http://${domain}`)?.hostname;

/**
 * Returns an email address as it is stored and compared: without blanks around, in lower case, with its domain in ASCII. Returns
 * undefined for any other value. The local part must be ASCII without quotes.
 */
export const normalizeEmail = (value: unknown): string | undefined => {
  if (typeof value !== "string" || value.length > emailLengthMax) return undefined;
  const text = value.trim();
  const at = Math.max(text.indexOf("@"), 0);
  const local = text.slice(0, at);
  const domain = domainToAscii(text.slice(at + 1));
  if (domain === undefined || !localPart.test(local) || !asciiDomain.test(domain)) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length > emailLengthMax ? undefined : email;
};

/** Returns a given address as stored ones compare with it, and any other text without blanks and in lower case. */
export const comparableEmail = (text: string): string =>
  normalizeEmail(text) ?? text.trim().toLowerCase();

/** Returns a part of an address as stored ones contain it. A whole domain in Unicode becomes ASCII. */
export const emailSearchTerm = (text: string): string => {
  const term = text.trim().normalize("NFC").toLowerCase();
  const at = term.lastIndexOf("@") + 1;
  const domain = term.slice(at);
  const isUnicode = /[^\0-\x7f]/.test(domain) && domain.includes(".");
  return term.slice(0, at) + ((isUnicode ? domainToAscii(domain) : undefined) ?? domain);
};

const digitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return code - 0x61;
};

/** Returns the next bias of RFC 3492, section 6.1. */
const adapt = (delta: number, length: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
};

const codePointMax = 0x10ffff;

/** Decodes the part of a label after `xn--` (RFC 3492, section 6.2). Undefined if no text has that form, which anybody can register. */
const decodePunycode = (encoded: string): string | undefined => {
  const end = encoded.lastIndexOf("-");
  const letters = Array.from(encoded.slice(0, Math.max(end, 0)), (letter) => letter.charCodeAt(0));
  let [code, index, bias, at] = [128, 0, 72, end + 1];
  while (at < encoded.length) {
    const before = index;
    for (let weight = 1, base = 36; ; base += 36) {
      const digit = digitOf(encoded.charCodeAt(at));
      at += 1;
      index += digit * weight;
      const threshold = Math.min(Math.max(base - bias, 1), 26);
      if (digit < threshold || at >= encoded.length) break;
      weight *= 36 - threshold;
    }
    const length = letters.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > codePointMax) return undefined;
    letters.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...letters);
};

const similarScripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];
/** Chinese, Japanese and Korean names contain Latin letters. Other scripts have letters that look like them, such as the Armenian `օ`. */
const besideLatin =
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]*$/u;
/** Cyrillic letters that look like Latin ones. */
const looksLatin = /^[асԁеһіјӏорԛѕԝхуѵ\d-]+$/;

/** Returns whether a label could be taken for a Latin one that it is not. Browsers show such labels in ASCII, too. */
const isDeceptive = (label: string): boolean =>
  similarScripts.filter((script) => script.test(label)).length > 1 ||
  (/\p{Script=Latin}/u.test(label) && !besideLatin.test(label)) ||
  looksLatin.test(label);

const showLabel = (label: string): string => {
  if (!label.startsWith("xn--")) return label;
  const shown = decodePunycode(label.slice("xn--".length));
  return shown === undefined || isDeceptive(shown) ? label : shown;
};

/** Returns an address for people: its domain in Unicode, unless a label of it could be taken for another one. */
export const showEmail = (email: string): string => {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  const shown = domain.split(".").map(showLabel).join(".");
  // A label that is not Punycode decodes to something else.
  return domainToAscii(shown) === domain ? email.slice(0, at) + shown : email;
};
