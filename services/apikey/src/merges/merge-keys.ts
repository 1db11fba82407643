import type { Event } from "@latchkey/contracts";
import { appendAudits } from "@latchkey/service-kit/audit";
import { beginMerge, endMerge, recordMoved } from "@latchkey/service-kit/merges";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type Moved, moveCreated, moveKeys } from "./queries.ts";
import { forgetOwner } from "../owners/owner-events.ts";
import { findOwner, isSecured, lockKeysOf } from "../owners/queries.ts";

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
  { keyIds, from, to }: Move & { keyIds: readonly string[] },
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
 * somebody else. An event that is delivered again, or after its undo, changes nothing. Throws while the undo of an earlier merge of the same
 * user is yet to arrive, so that the event is delivered again after it.
 */
export const mergeKeys = (
  deps: Needs,
  { data, occurredAt }: Pick<Event<"user.merged">, "data" | "occurredAt">,
): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  const disablesSessions = deps.config.apiKey.enableSessionForAPIKeys;
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const now = new Date(deps.clock());
    if (!(await beginMerge(trx, { mergeId, mergedUserId, recordedAt: now }))) return;
    if (await hasDeparted(deps, trx, userId)) return;
    const way = { from: mergedUserId, to: userId, since: new Date(occurredAt) };
    const moved = await moveKeys(trx, { ...way, now, disables: disablesSessions });
    const createdIds = await moveCreated(trx, way);
    const all: Moved = { ...moved, createdIds, mergedAt: way.since.toISOString() };
    await recordMoved(trx, mergeId, all);
    await recordMove(deps, trx, { ...way, keyIds: moved.keyIds });
  });
};

/**
 * Gives the keys back that a merge moved, as far as the user still has them. None is enabled if an admin has secured one of both since. An
 * event that is delivered again changes nothing.
 */
export const separateKeys = (
  deps: Needs,
  { data, occurredAt }: Event<"user.merge-undone">,
): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const now = new Date(deps.clock());
    const ended = await endMerge(trx, { mergeId, mergedUserId, recordedAt: now });
    if (ended === undefined || (await hasDeparted(deps, trx, mergedUserId))) return;
    const moved = ended as Moved; // written by `mergeKeys`
    const { disabledIds, createdIds } = moved;
    const mergedAt = new Date(moved.mergedAt);
    const areSecured =
      (await isSecured(trx, userId, mergedAt)) || (await isSecured(trx, mergedUserId, mergedAt));
    const only = { ...moved, disabledIds: areSecured ? [] : disabledIds };
    const way = { from: userId, to: mergedUserId, since: new Date(occurredAt) };
    const { keyIds } = await moveKeys(trx, { ...way, now, only });
    await moveCreated(trx, { ...way, ids: createdIds });
    await recordMove(deps, trx, { ...way, keyIds });
  });
};

/** Deletes what a deleted user had. A merge into another user is applied first, because its own event may be late. */
export const forgetUser = async (deps: Needs, event: Event<"user.deleted">): Promise<void> => {
  const { userId: mergedUserId, merge } = event.data;
  const { occurredAt } = event;
  if (merge) await mergeKeys(deps, { occurredAt, data: { ...merge, mergedUserId } });
  await forgetOwner(deps, event);
};
