import type { Options } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { isKeyText, keyLengthMax } from "./is-key-text.ts";

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
