import type { ChainBreak, ChainVerdict } from "./check-chain.ts";

const unsignedMilliseconds = 300_000;
const unsignedEntries = 2_000;

/** Returns a break if the end of an otherwise valid chain is unsigned for too long. A sealer signs its seals within a minute. */
export const breakOfEnd = (
  { entries, signedPosition, signedAt }: ChainVerdict,
  now: number,
): ChainBreak | undefined => {
  const unsigned = entries - signedPosition;
  const isRecent = signedAt !== undefined && now - signedAt.getTime() <= unsignedMilliseconds;
  if (unsigned === 0 || (isRecent && unsigned <= unsignedEntries)) return undefined;
  const position = signedPosition + 1;
  const reason =
    "no checkpoint signs the chain from here on: checkpoints were removed, or the service was killed before it could sign and has not run since";
  return { kind: "unsigned", position, reason };
};
