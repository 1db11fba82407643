import type { Event } from "@latchkey/contracts";
import { appendAudits } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  deleteMergesBefore,
  endMerge,
  insertMerge,
  type MovedKeys,
  moveKeys,
  updateMoved,
} from "./queries.ts";
import { findOwner, lockKeysOf } from "../owners/queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;

/** Locks the keys of both users, always in the same order. */
const lockBoth = async (
  trx: Transaction<Tables>,
  { userId, mergedUserId }: Event<"user.merged">["data"],
): Promise<void> => {
  for (const id of [userId, mergedUserId].toSorted()) await lockKeysOf(trx, { userId: id });
};

interface Move {
  from: string;
  to: string;
}

const recordMove = (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { keyIds, from, to }: Pick<MovedKeys, "keyIds"> & Move,
): Promise<void> =>
  appendAudits(
    trx,
    deps,
    keyIds.map((id) => ({
      actor: { kind: "system" } as const,
      subject: { kind: "api-key", id },
      action: "api-key.updated" as const,
      before: { userId: from },
      after: { userId: to },
    })),
  );

const hasDeparted = async (deps: Needs, trx: Transaction<Tables>, userId: string) =>
  (await findOwner(trx, userId, new Date(deps.clock())))?.hasDeparted === true;

/**
 * Gives the keys of a merged user to the user who stays. A key that can stand for a session is disabled, because it would now sign in
 * somebody else. An event that is delivered again, or after its undo, changes nothing.
 */
export const mergeKeys = (deps: Needs, { data }: Event<"user.merged">): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  const disablesSessions = deps.config.apiKey.enableSessionForAPIKeys;
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const now = new Date(deps.clock());
    if (!(await insertMerge(trx, { mergeId, recordedAt: now }))) return;
    if (await hasDeparted(deps, trx, userId)) return;
    const way = { from: mergedUserId, to: userId };
    const moved = await moveKeys(trx, { ...way, now, disables: disablesSessions });
    await updateMoved(trx, { mergeId, ...moved });
    await recordMove(deps, trx, { ...way, keyIds: moved.keyIds });
  });
};

/** Gives the keys back that a merge moved, as far as the user still has them. An event that is delivered again changes nothing. */
export const separateKeys = (deps: Needs, { data }: Event<"user.merge-undone">): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const now = new Date(deps.clock());
    const moved = await endMerge(trx, { mergeId, recordedAt: now });
    if (!moved || (await hasDeparted(deps, trx, mergedUserId))) return;
    const way = { from: userId, to: mergedUserId };
    const { keyIds } = await moveKeys(trx, { ...way, now, only: moved });
    await recordMove(deps, trx, { ...way, keyIds });
  });
};

/** Longer than a merge can be undone, with a day for events that arrive late. */
const keptMilliseconds = 2 * 86_400_000;
const batchSize = 1_000;

/** Deletes the records of merges that can no longer be undone. */
export const sweepMerges = async ({ db, clock }: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, (limit) => deleteMergesBefore(db, before, limit));
};
