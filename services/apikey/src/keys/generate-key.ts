import type { Options } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { isKeyText, keyLengthMax } from "./is-key-text.ts";

/** The text of a new key: the prefix and random letters, or what the application's function makes of the prefix. */
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
