import type { Options } from "@latchkey/contracts";
import { generateKey } from "./generate-key.ts";
import { storedKey } from "./stored-key.ts";

/** The text of a new key, which is never stored, and the columns that derive from it. */
export interface KeyText {
  text: string;
  columns: { start: string | null; prefix: string | null; key: string };
}

/** Creates the text of a key with a prefix. */
export const createKeyText = async (
  options: Options["apiKey"],
  prefix: string | undefined,
): Promise<KeyText> => {
  const { shouldStore, charactersLength } = options.startingCharactersConfig;
  const text = await generateKey(options, prefix);
  const start = shouldStore ? [...text].slice(0, charactersLength).join("") : null;
  return { text, columns: { start, prefix: prefix || null, key: storedKey(options, text) } };
};
