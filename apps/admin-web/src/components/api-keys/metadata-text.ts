/** Parses metadata of a key: a JSON object or list, or null for empty text. Returns undefined for anything else. */
export const readMetadata = (text: string): object | null | undefined => {
  if (text.trim() === "") return null;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
};

/** Writes the metadata of a key. */
export const writeMetadata = (metadata: unknown): string =>
  metadata === null || metadata === undefined ? "" : JSON.stringify(metadata, null, 2);
