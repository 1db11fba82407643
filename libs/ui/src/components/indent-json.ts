/** Indents a JSON text for reading. Returns any other text as it is. */
export const indentJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
