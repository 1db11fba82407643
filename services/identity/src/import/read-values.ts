import { isLegacySealed, openLegacyValue } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

/** The result of opening sealed values of another database with the secret. */
export type SecretVerdict = "fits" | "differs" | "unknown";

/** Returns whether the secret has sealed these values, or `unknown` if none of them is sealed. */
export const checkSecret = (
  { ring }: Pick<Deps, "ring">,
  values: readonly string[],
): SecretVerdict => {
  const bare = values.map((value) => value.replaceAll('"', ""));
  const sealed = bare.filter(isLegacySealed);
  if (sealed.length === 0) return "unknown";
  return sealed.some((value) => openLegacyValue(ring, value) !== undefined) ? "fits" : "differs";
};
