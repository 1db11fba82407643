import type { ChainBreak, ChainVerdict } from "./check-chain.ts";

const unsignedMilliseconds = 300_000;
const unsignedEntries = 2_000;

/** What is wrong with the end of a chain that is whole: a sealer signs what it seals within a minute. */
export const breakOfEnd = (
  { entries, signedPosition, signedAt }: ChainVerdict,
  now: number,
): ChainBreak | undefined => {
  const unsigned = entries - signedPosition;
  const isRecent = signedAt !== undefined && now - signedAt.getTime() <= unsignedMilliseconds;
  if (unsigned === 0 || (isRecent && unsigned <= unsignedEntries)) return undefined;
  const position = signedPosition + 1;
  const reason =
    "from here on no checkpoint has signed the chain: checkpoints were removed, or the service was killed before it could sign and has not run since";
  return { kind: "unsigned", position, reason };
};
