import { isPlainText, type Options } from "@latchkey/contracts";

/** In UTF-16 units. Longer texts are rejected before hashing. */
export const keyLengthMax = 1_024;

/** Returns whether a text can be a key: its length, including the prefix, is in range, and its characters can be stored. */
export const isKeyText = (
  { defaultKeyLength }: Pick<Options["apiKey"], "defaultKeyLength">,
  text: string,
): boolean => text.length >= defaultKeyLength && text.length <= keyLengthMax && isPlainText(text);
