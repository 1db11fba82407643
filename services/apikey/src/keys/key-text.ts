import { hash } from "node:crypto";
import { isPlainText, type Options } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";

/** In UTF-16 units. Longer texts are rejected before hashing. */
const keyLengthMax = 1_024;

/** Returns whether a text can be a key: its length, including the prefix, is in range, and its characters can be stored. */
export const isKeyText = (
  { defaultKeyLength }: Pick<Options["apiKey"], "defaultKeyLength">,
  text: string,
): boolean => text.length >= defaultKeyLength && text.length <= keyLengthMax && isPlainText(text);

/** Returns the lookup value of a key: SHA-256 of its UTF-8 text, base64url without padding, unless hashing is disabled. */
export const storedKey = (
  { disableKeyHashing }: Pick<Options["apiKey"], "disableKeyHashing">,
  key: string,
): string => (disableKeyHashing ? key : hash("sha256", key, "base64url"));

/** Returns the text of a new key: the prefix with random letters, or the result of the application's function. */
export const generateKey = async (
  {
    customKeyGenerator,
    defaultKeyLength: length,
  }: Pick<Options["apiKey"], "customKeyGenerator" | "defaultKeyLength">,
  prefix: string | undefined,
): Promise<string> => {
  const key = customKeyGenerator
    ? await customKeyGenerator({ length, prefix })
    : `${prefix ?? ""}${randomToken(length, "letters")}`;
  if (typeof key !== "string" || !isKeyText({ defaultKeyLength: length }, key))
    throw new Error(
      `apiKey.customKeyGenerator must give text of ${length} to ${keyLengthMax} characters, without NUL or half a letter`,
    );
  return key;
};

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
