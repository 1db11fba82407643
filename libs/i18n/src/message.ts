import type { Language } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "./languages.ts";

/** The values that a message includes or depends on. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** A part of a message: text, a value, or a choice between messages by a value. */
export type Part =
  | string
  | { name: string; kind: "" | "raw" }
  | { name: string; kind: "plural" | "select"; options: ReadonlyMap<string, readonly Part[]> };

/**
 * Parses a message. Its syntax is the part of ICU message syntax that the catalogues need: `{name}`,
 * `{count, plural, =0 {none} one {# day} other {# days}}` and `{owner, select, user {you} other {them}}`. `{name, raw}` is our own: a value
 * without isolates. There are no quotes, so the text itself has no braces. Throws if the syntax is wrong.
 */
export const parseMessage = (text: string): Part[] => {
  let at = 0;
  /** Reads what a sticky pattern finds next, and returns its first group. */
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError(`the message is malformed at ${at}: ${text}`);
    at = pattern.lastIndex;
    return match[1] ?? "";
  };
  const takeOptions = (): Map<string, Part[]> => {
    const options = new Map<string, Part[]>();
    while (text[at] !== "}") {
      options.set(take(/(=?\w+) \{/y), takeParts());
      take(/\} ?/y);
    }
    return options;
  };
  const takeValue = (): Part => {
    const name = take(/\{(\w+)/y);
    const kind = take(/(?:, (raw|plural|select))?/y) as "" | "raw" | "plural" | "select"; // the choices of the pattern
    const isChoice = kind === "plural" || kind === "select";
    const part = isChoice ? { name, kind, options: (take(/, /y), takeOptions()) } : { name, kind };
    take(/\}/y);
    return part;
  };
  const takeParts = (): Part[] => {
    const parts: Part[] = [];
    while (at < text.length && text[at] !== "}")
      parts.push(text[at] === "{" ? takeValue() : take(/([^{}]+)/y));
    return parts;
  };
  const parts = takeParts();
  take(/$/y);
  return parts;
};

/**
 * Encloses a value in isolates (Unicode TR 9), so that a name or address in Latin letters does not reorder the words around it. Only texts
 * from right to left need them.
 */
const isolate = (language: Language, value: string): string =>
  languageFacts[language].direction === "rtl" && value !== "" ? `\u2068${value}\u2069` : value;

/**
 * Returns a message of a language with its values. A value is never read as a message, and `#` is the number of the choice around it. Throws if a
 * value is missing. `writeNumber` writes numbers, such as with groups of thousands.
 */
// oxlint-disable-next-line max-params -- The last two are rarely given.
export const formatMessage = (
  language: Language,
  text: string,
  values: MessageValues = {},
  writeNumber: (value: number) => string = String,
): string => {
  const write = (parts: readonly Part[], counted?: string): string =>
    parts
      .map((part) => {
        if (typeof part === "string")
          return counted === undefined ? part : part.replaceAll("#", counted);
        const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined;
        if (value === undefined) throw new TypeError(`the value ${part.name} is missing: ${text}`);
        const valueText = typeof value === "number" ? writeNumber(value) : value;
        if (!("options" in part))
          return part.kind === "raw" || typeof value === "number"
            ? valueText
            : isolate(language, valueText);
        const { kind, options } = part;
        const form =
          kind === "plural" ? new Intl.PluralRules(language).select(Number(value)) : String(value);
        const chosen = options.get(`=${value}`) ?? options.get(form) ?? options.get("other");
        return write(chosen ?? [], kind === "plural" ? valueText : counted);
      })
      .join("");
  return text.includes("{") ? write(parseMessage(text)) : text;
};

/** The same texts in another language. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};

/** The name of the value that begins a placeholder. A text of several words, or an empty one, is that of a choice. */
type Word<Text extends string> = Text extends `${infer First},${string}`
  ? Word<First>
  : Text extends "" | `${string}${" " | "#" | "{" | "."}${string}`
    ? never
    : Text;

/** The names of the values of a message. A choice must not consist of one word, because that looks like a name. */
export type ValueNames<Text> = Text extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Head}}${string}` ? Word<Head> : never) | ValueNames<Rest>
  : never;

/** A part of a catalogue. */
export interface TextTree {
  readonly [key: string]: string | TextTree;
}

/** The paths of the texts of a catalogue, such as `linkSent.title`. */
export type PathIn<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Key : `${Key}.${PathIn<Texts[Key]>}`;
}[keyof Texts & string];

/** The text at a path. */
export type TextAt<Texts, Path> = Path extends keyof Texts
  ? Texts[Path]
  : Path extends `${infer Key extends keyof Texts & string}.${infer Rest}`
    ? TextAt<Texts[Key], Rest>
    : never;
