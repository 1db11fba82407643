import type { KeyObject } from "node:crypto";
import { firstHash, isOfRow, nextHash } from "./chain-hash.ts";
import { isSigned } from "./checkpoint-signature.ts";
import type { ChainCheckpoint, ChainEntry, ChainItem, ChainStart } from "./read-chain.ts";

/**
 * How a chain is broken. `changed`: an entry is not what was sealed. `removed`: one is gone. `reordered`: one stands elsewhere.
 * `truncated`: the end is gone. `inserted`: a row is between sealed ones and not sealed, or has a seal that is not of the chain.
 * `unsealed`: one is behind them for too long.
 * `unsigned`: the end has no signature for too long. `forged`: a signature is not ours. `rewritten`: the chain is whole, but not
 * the one that was signed. `missing`: an export has nothing of it.
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
  /** In the chain; of a row that is not in it, where the chain ends. */
  position: number;
  /** Of the audit row, where one is known. */
  auditId?: number;
  /** What is wrong there, for the operator. */
  reason: string;
}

/** What was found of one chain. */
export interface ChainVerdict {
  schema: string;
  /** The position after which it begins: 0, or the one up to which it was pruned. */
  start: number;
  /** How many entries up to there a pruning that has not ended has left; of an export none. */
  leftovers: number;
  /** The position up to which entries are as they were sealed, and how many checkpoints as they were signed. */
  entries: number;
  checkpoints: number;
  hash: Buffer;
  signedPosition: number;
  signedAt: Date | undefined;
  broken: ChainBreak | undefined;
}

/** Follows a chain from its beginning, an item after the other. */
export interface ChainCheck {
  take(item: ChainItem): void;
  /** Once all items are taken. */
  verdict(): ChainVerdict;
}

/** So far ahead an entry is looked for that stands where it does not belong. */
const lookedAheadMax = 1_000;

const reasons = {
  changed: "the entry is not what was sealed here: it was changed, or ones before it were removed",
  misnamed: "the entry is said to be of another audit row than its text tells",
  removed: "the audit row that was sealed here is gone",
  passedBy: "no entry is at this position: it was removed with its seal",
  reordered: "the entry that was sealed here stands elsewhere: entries were reordered",
  forged: "the signature of the checkpoint here is of no key of this installation",
  forgedStart:
    "the chain is said to begin after this position, and the signature of that is of no key of this installation",
  rewritten: "a checkpoint has signed another hash here: entries up to it were rewritten",
  truncated: "the chain ends before this position, which a checkpoint has signed",
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

/** What is wrong with an entry that is to come next. */
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

/** Whether an item further on is the entry that belongs where the chain is broken. */
const isMissed = ({ hash }: Place, found: ChainEntry, item: ChainEntry): boolean => {
  if (item.entry === undefined) return false;
  const sealed = nextHash(hash, item.entry);
  return sealed.equals(item.hash) || sealed.equals(found.hash);
};

/** Begins to follow a chain; `keys` are those that checkpoints may be signed by. */
export const checkChain = (of: Signers): ChainCheck => {
  const so: Omit<ChainVerdict, "schema"> = {
    start: 0,
    leftovers: 0,
    entries: 0,
    checkpoints: 0,
    hash: firstHash,
    signedPosition: 0,
    signedAt: undefined,
    broken: undefined,
  };
  /** The entry at which it broke, and how many came after it. */
  let found: ChainEntry | undefined;
  let lookedAhead = 0;

  /** What comes after the break tells more of it. */
  const refine = (broken: ChainBreak, item: ChainItem): void => {
    if (item.kind !== "entry" || (lookedAhead += 1) > lookedAheadMax) return;
    const { position } = broken;
    if (item.position === position || (found && isMissed(so, found, item)))
      so.broken = { ...broken, kind: "reordered", reason: reasons.reordered };
    // There is more after all, so only a part in the midst is gone.
    else if (broken.kind === "truncated")
      so.broken = { kind: "removed", position, reason: reasons.passedBy };
  };

  const takeStart = (item: ChainStart): void => {
    so.broken = breakOfStart(so, item, of);
    if (so.broken) return;
    so.start = item.position;
    so.entries = item.position;
    so.hash = item.hash;
    so.signedPosition = item.position;
    so.signedAt = item.sealedAt;
  };
  const takeEntry = (item: ChainEntry): void => {
    so.broken = breakOfEntry(so, item);
    if (so.broken) {
      found = item;
      return;
    }
    so.entries += 1;
    so.hash = item.hash;
  };
  const takeCheckpoint = (item: ChainCheckpoint): void => {
    so.broken = breakOfCheckpoint(so, item, of);
    if (so.broken) return;
    so.checkpoints += 1;
    so.signedPosition = item.position;
    so.signedAt = item.sealedAt;
  };
  return {
    take: (item) => {
      if (so.broken) refine(so.broken, item);
      else if (item.kind === "entry") takeEntry(item);
      else if (item.kind === "start") takeStart(item);
      else takeCheckpoint(item);
    },
    verdict: () => ({ schema: of.schema, ...so }),
  };
};
