export type CsvValue = string | number | boolean | null | undefined;

/** Spreadsheets run a text that begins like this as a formula, and users choose their own names. */
const formula = /^[=+\-@\t\r\n]/;
/** Spreadsheets of many locales split at `;`, some at tabs. Such a split breaks the quotes, after which line breaks split, too. */
const innerFormula = /([;\t\r\n]"*)(?=[=+\-@])/g;
const quoted = /[",\r\n]/;

const disarm = (text: string): string => {
  const within = text.replaceAll(innerFormula, "$1'");
  return formula.test(text) ? `'${within}` : within;
};

const fieldOf = (value: CsvValue): string => {
  const text = String(value ?? "");
  const harmless = typeof value === "string" ? disarm(text) : text;
  return quoted.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Returns a record of RFC 4180. Texts that a spreadsheet would run get an apostrophe, which it shows as text. */
export const csvLine = (values: readonly CsvValue[]): string =>
  `${values.map(fieldOf).join(",")}\r\n`;
