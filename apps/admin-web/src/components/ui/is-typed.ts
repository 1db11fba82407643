/**
 * Whether somebody has entered what they were to type. Blanks around it need not be: they are hard to see, and get lost in
 * copying. Line breaks cannot be: a field for one line takes them out.
 */
export const isTyped = (text: string, wanted: string): boolean => {
  const line = wanted.replaceAll(/[\r\n]/g, "");
  return text === line || (line.trim() !== "" && text.trim() === line.trim());
};
