/** The texts that components show without getting them from their users, by name. */
export type ComponentText =
  | "apply"
  | "cancel"
  | "close"
  | "copied"
  | "copy"
  | "copyBlocked"
  | "copyIdOf"
  | "copyManually"
  | "copyTyped"
  | "dismiss"
  | "nextPage"
  | "noResults"
  | "pagesOf"
  | "previousPage"
  | "typeToConfirm"
  | "chart.day"
  | "chart.inPeriodBefore"
  | "chart.keys"
  | "chart.keysToChoose"
  | "chart.numbers"
  | "chart.perDay"
  | "chart.periodBefore"
  | "chart.today"
  | "chart.valueBefore"
  | "range.bothDays"
  | "range.firstDay"
  | "range.last"
  | "range.lastDay"
  | "range.order"
  | "range.title"
  | "range.tooLong";

interface Locale {
  /** The language of words and lists. */
  language: string;
  /** The tag for dates and numbers. */
  tag: string;
  /** Returns a text with its values. */
  text: (name: ComponentText, values?: Readonly<Record<string, string | number>>) => string;
}

/** How components write. A web sets it once, before it renders, because each page has one language. */
export const locale: Locale = { language: "en", tag: "en-GB", text: (name) => name };
