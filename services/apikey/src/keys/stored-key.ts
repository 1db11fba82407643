import { hash } from "node:crypto";
import type { Options } from "@latchkey/contracts";

/** Returns the lookup value of a key: SHA-256 of its UTF-8 text, base64url without padding, unless hashing is disabled. */
export const storedKey = (
  { disableKeyHashing }: Pick<Options["apiKey"], "disableKeyHashing">,
  key: string,
): string => (disableKeyHashing ? key : hash("sha256", key, "base64url"));
