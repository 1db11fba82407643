import { hash } from "node:crypto";
import type { Options } from "@latchkey/contracts";

/** What a key is stored as and found by: SHA-256 of its UTF-8 text, base64url without padding, unless hashing is off. */
export const storedKey = (
  { disableKeyHashing }: Pick<Options["apiKey"], "disableKeyHashing">,
  key: string,
): string => (disableKeyHashing ? key : hash("sha256", key, "base64url"));
