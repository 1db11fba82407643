import type { ChainVerdict, ExportVerdict } from "@latchkey/service-kit/audit";

/** Formats the verdict on a log as a line for the operator. For an export it includes the time of the export. */
export const describeVerdict = (verdict: ChainVerdict | ExportVerdict): string => {
  const { schema, start, leftovers, entries, checkpoints, hash, signedPosition, broken } = verdict;
  const count = entries - start;
  if (broken) {
    const row = broken.auditId === undefined ? "" : `, audit row ${broken.auditId}`;
    return `${schema}: BROKEN (${broken.kind}) at position ${broken.position}${row}: ${broken.reason}. The ${count} entries before it are as they were sealed.\n`;
  }
  const exported = "exportedAt" in verdict ? ` Exported ${verdict.exportedAt.toISOString()}.` : "";
  if (entries === 0) return `${schema}: no entries.${exported}\n`;
  const pruned = start === 0 ? "" : ` after position ${start}, up to which it was pruned`;
  const leftoverText =
    leftovers === 0
      ? ""
      : ` ${leftovers} entries up to there are left of a pruning that has not ended: if none is running, run it again.`;
  return `${schema}: whole. ${count} entries${pruned}, ${checkpoints} checkpoints, signed up to position ${signedPosition}. Hash ${hash.toString("hex")}.${exported}${leftoverText}\n`;
};
