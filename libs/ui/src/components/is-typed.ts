/**
 * Whether the user typed the required text. Ignores surrounding blanks, which are hard to see and are often lost in copying, and
 * line breaks, which a single-line input removes.
 */
export const isTyped = (text: string, wanted: string): boolean => {
  const line = wanted.replaceAll(/[\r\n]/g, "");
  return text === line || (line.trim() !== "" && text.trim() === line.trim());
};
