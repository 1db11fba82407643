import { isPlainText, type Options } from "@latchkey/contracts";

/** Longer ones are not worth a hash. In UTF-16 units. */
export const keyLengthMax = 1_024;

/** Whether a text can be a key: of a fitting length, its prefix included, and of letters that can be stored. */
export const isKeyText = (
  { defaultKeyLength }: Pick<Options["apiKey"], "defaultKeyLength">,
  text: string,
): boolean => text.length >= defaultKeyLength && text.length <= keyLengthMax && isPlainText(text);
