import { isLegacySealed, openLegacyValue } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

/** What some values that another database has sealed tell about the secret. */
export type SecretVerdict = "fits" | "differs" | "unknown";

/** Whether the secret is the one that values were sealed by; `unknown` where none of them is sealed. */
export const checkSecret = (
  { ring }: Pick<Deps, "ring">,
  values: readonly string[],
): SecretVerdict => {
  const bare = values.map((value) => value.replaceAll('"', ""));
  const sealed = bare.filter(isLegacySealed);
  if (sealed.length === 0) return "unknown";
  return sealed.some((value) => openLegacyValue(ring, value) !== undefined) ? "fits" : "differs";
};
