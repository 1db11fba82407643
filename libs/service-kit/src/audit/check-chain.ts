import type { KeyObject } from "node:crypto";
import { firstHash, isOfRow, nextHash } from "./chain-hash.ts";
import { isSigned } from "./checkpoint-signature.ts";
import type { ChainCheckpoint, ChainEntry, ChainItem, ChainStart } from "./read-chain.ts";

/**
 * The kinds of breaks.
 * `changed`: an entry differs from its sealed content. `removed`: an entry is deleted. `reordered`: an entry has moved.
 * `truncated`: the end is deleted. `inserted`: a row between sealed rows has no seal, or has a seal outside the chain.
 * `unsealed`: a row after the end has no seal for too long. `unsigned`: the end has no signature for too long.
 * `forged`: a signature has an unknown key. `rewritten`: the chain is consistent, but differs from the signed one.
 * `missing`: the export lacks a log.
 */
export type BreakKind =
  | "changed"
  | "removed"
  | "reordered"
  | "truncated"
  | "inserted"
  | "unsealed"
  | "unsigned"
  | "forged"
  | "rewritten"
  | "missing";

/** The first place where a chain is broken. */
export interface ChainBreak {
  kind: BreakKind;
  /** Position in the chain, or the chain's end if the row is not part of it. */
  position: number;
  /** Id of the audit row, if known. */
  auditId?: number;
  /** Explanation for the operator. */
  reason: string;
}

/** The result of checking one chain. */
export interface ChainVerdict {
  schema: string;
  /** The position after which the chain begins: 0, or the last pruned position. */
  start: number;
  /** Number of entries that an interrupted pruning has left before the start. Always 0 for an export. */
  leftovers: number;
  /** The last position with a valid entry, and the number of valid checkpoints. */
  entries: number;
  checkpoints: number;
  hash: Buffer;
  signedPosition: number;
  signedAt: Date | undefined;
  broken: ChainBreak | undefined;
}

/** Checks a chain from its beginning, item by item. */
export interface ChainCheck {
  take(item: ChainItem): void;
  /** Returns the result after the last item. */
  verdict(): ChainVerdict;
}

/** Limits the search for a moved entry. */
const lookedAheadMax = 1_000;

const reasons = {
  changed:
    "the entry differs from the one sealed here: it was changed, or entries before it were removed",
  misnamed: "the seal names another audit row than the entry's text does",
  removed: "the audit row that was sealed here was deleted",
  passedBy: "there is no entry at this position: it was removed together with its seal",
  reordered: "the entry that was sealed here is at another position: entries were reordered",
  forged: "the checkpoint here is not signed by any key of this installation",
  forgedStart:
    "the chain is recorded to begin after this position, but no key of this installation signed that record",
  rewritten: "a checkpoint signs a different hash here: entries up to it were rewritten",
  truncated: "the chain ends before this position, which a checkpoint signs",
} as const;

type Place = Pick<ChainVerdict, "entries" | "hash">;
type Signers = { schema: string; keys: readonly KeyObject[] };

const breakOfStart = (
  { entries }: Place,
  item: ChainStart,
  { schema, keys }: Signers,
): ChainBreak | undefined => {
  const { position } = item;
  if (entries > 0) return { kind: "reordered", position, reason: reasons.reordered };
  return isSigned(keys, "start", { schema, ...item, at: item.sealedAt })
    ? undefined
    : { kind: "forged", position, reason: reasons.forgedStart };
};

/** Returns the break if the entry is not the valid next one. */
const breakOfEntry = ({ entries, hash }: Place, item: ChainEntry): ChainBreak | undefined => {
  const position = entries + 1;
  const at = { position, auditId: item.auditId };
  if (item.position > position) return { kind: "removed", position, reason: reasons.passedBy };
  if (item.position < position) return { kind: "reordered", ...at, reason: reasons.reordered };
  if (item.entry === undefined) return { kind: "removed", ...at, reason: reasons.removed };
  if (!nextHash(hash, item.entry).equals(item.hash))
    return { kind: "changed", ...at, reason: reasons.changed };
  return isOfRow(item.entry, item.auditId)
    ? undefined
    : { kind: "changed", ...at, reason: reasons.misnamed };
};

const breakOfCheckpoint = (
  { entries, hash }: Place,
  item: ChainCheckpoint,
  { schema, keys }: Signers,
): ChainBreak | undefined => {
  const { position } = item;
  const isOurs = isSigned(keys, "checkpoint", { schema, ...item, at: item.sealedAt });
  if (!isOurs) return { kind: "forged", position, reason: reasons.forged };
  if (position > entries)
    return { kind: "truncated", position: entries + 1, reason: reasons.truncated };
  if (position < entries) return { kind: "reordered", position, reason: reasons.reordered };
  return hash.equals(item.hash)
    ? undefined
    : { kind: "rewritten", position, reason: reasons.rewritten };
};

/** Returns whether a later item is the entry that belongs at the break. */
const isMissed = ({ hash }: Place, found: ChainEntry, item: ChainEntry): boolean => {
  if (item.entry === undefined) return false;
  const sealed = nextHash(hash, item.entry);
  return sealed.equals(item.hash) || sealed.equals(found.hash);
};

/** Creates a check. `keys` are the keys that may sign checkpoints. */
export const checkChain = (of: Signers): ChainCheck => {
  const verdict: Omit<ChainVerdict, "schema"> = {
    start: 0,
    leftovers: 0,
    entries: 0,
    checkpoints: 0,
    hash: firstHash,
    signedPosition: 0,
    signedAt: undefined,
    broken: undefined,
  };
  /** The entry at the break, and the number of entries after it. */
  let previousEntry: ChainEntry | undefined;
  let lookedAhead = 0;

  /** Makes the break's kind more exact by the items after it. */
  const refine = (broken: ChainBreak, item: ChainItem): void => {
    if (item.kind !== "entry" || (lookedAhead += 1) > lookedAheadMax) return;
    const { position } = broken;
    if (item.position === position || (previousEntry && isMissed(verdict, previousEntry, item)))
      verdict.broken = { ...broken, kind: "reordered", reason: reasons.reordered };
    // Entries follow, so the gap is in the middle and not at the end.
    else if (broken.kind === "truncated")
      verdict.broken = { kind: "removed", position, reason: reasons.passedBy };
  };

  const takeStart = (item: ChainStart): void => {
    verdict.broken = breakOfStart(verdict, item, of);
    if (verdict.broken) return;
    verdict.start = item.position;
    verdict.entries = item.position;
    verdict.hash = item.hash;
    verdict.signedPosition = item.position;
    verdict.signedAt = item.sealedAt;
  };
  const takeEntry = (item: ChainEntry): void => {
    verdict.broken = breakOfEntry(verdict, item);
    if (verdict.broken) {
      previousEntry = item;
      return;
    }
    verdict.entries += 1;
    verdict.hash = item.hash;
  };
  const takeCheckpoint = (item: ChainCheckpoint): void => {
    verdict.broken = breakOfCheckpoint(verdict, item, of);
    if (verdict.broken) return;
    verdict.checkpoints += 1;
    verdict.signedPosition = item.position;
    verdict.signedAt = item.sealedAt;
  };
  return {
    take: (item) => {
      if (verdict.broken) refine(verdict.broken, item);
      else if (item.kind === "entry") takeEntry(item);
      else if (item.kind === "start") takeStart(item);
      else takeCheckpoint(item);
    },
    verdict: () => ({ schema: of.schema, ...verdict }),
  };
};
