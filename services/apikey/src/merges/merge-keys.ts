import type { Event } from "@latchkey/contracts";
import { appendAudits } from "@latchkey/service-kit/audit";
import { beginMerge, endMerge, recordMoved } from "@latchkey/service-kit/merges";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type Moved, moveKeys } from "./queries.ts";
import { forgetOwner, recordDeleted, recordDisabled } from "../owners/owner-events.ts";
import { findOwner, lockKeysOf } from "../owners/queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;

/** Locks the keys of both users, always in the same order. */
const lockBoth = async (
  trx: Transaction<Tables>,
  { userId, mergedUserId }: Event<"user.merged">["data"],
): Promise<void> => {
  for (const id of [userId, mergedUserId].toSorted()) await lockKeysOf(trx, { userId: id });
};

type Move = Pick<Parameters<typeof moveKeys>[1], "from" | "mergedAt" | "since" | "to">;

/**
 * Moves the own keys of a user and those that the user created for organizations, or gives only some back, with an audit entry for each change.
 */
const moveAll = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { only, ...way }: Move & { only?: Moved },
): Promise<Pick<Moved, "createdIds" | "disabledIds" | "keyIds">> => {
  const haveSessions = deps.config.apiKey.enableSessionForAPIKeys;
  const move = { ...way, haveSessions, now: new Date(deps.clock()) };
  const own = await moveKeys(trx, { ...move, as: "userId", only });
  const ofCreator = only && { keyIds: only.createdIds, disabledIds: [] };
  const created = await moveKeys(trx, { ...move, as: "createdBy", only: ofCreator });
  await appendAudits(
    trx,
    deps,
    own.keyIds.map((id) => ({
      actor: { kind: "system" } as const,
      subject: { kind: "api-key", id },
      action: "api-key.updated" as const,
      before: { userId: way.from },
      after: { userId: way.to },
    })),
  );
  await recordDisabled(deps, trx, [...own.barred, ...created.barred]);
  await recordDeleted(deps, trx, [...own.ended, ...created.ended]);
  return { keyIds: own.keyIds, disabledIds: own.disabledIds, createdIds: created.keyIds };
};

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
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const recordedAt = new Date(deps.clock());
    if (!(await beginMerge(trx, { mergeId, mergedUserId, recordedAt }))) return;
    if (await hasDeparted(deps, trx, userId)) return;
    const mergedAt = new Date(occurredAt);
    const way = { from: mergedUserId, to: userId, since: mergedAt, mergedAt };
    const moved = await moveAll(deps, trx, way);
    await recordMoved(trx, mergeId, { ...moved, mergedAt: occurredAt } satisfies Moved);
  });
};

/**
 * Gives the keys back that a merge moved, as far as the user still has them. Acts on one of both users since the merge end or disable them
 * (`moveKeys`). An event that is delivered again changes nothing.
 */
export const separateKeys = (
  deps: Needs,
  { data, occurredAt }: Event<"user.merge-undone">,
): Promise<void> => {
  const { mergeId, userId, mergedUserId } = data;
  return deps.db.transaction().execute(async (trx) => {
    await lockBoth(trx, data);
    const recordedAt = new Date(deps.clock());
    const ended = await endMerge(trx, { mergeId, mergedUserId, recordedAt });
    if (ended === undefined || (await hasDeparted(deps, trx, mergedUserId))) return;
    const only = ended as Moved; // written by `mergeKeys`
    const mergedAt = new Date(only.mergedAt);
    const since = new Date(occurredAt);
    await moveAll(deps, trx, { from: userId, to: mergedUserId, since, mergedAt, only });
    const undone = { userId, at: occurredAt };
    await recordMoved(trx, mergeId, { ...only, undone } satisfies Moved);
  });
};

/** Deletes what a deleted user had. A merge into another user is applied first, because its own event may be late. */
export const forgetUser = async (deps: Needs, event: Event<"user.deleted">): Promise<void> => {
  const { userId: mergedUserId, merge } = event.data;
  const { occurredAt } = event;
  if (merge) await mergeKeys(deps, { occurredAt, data: { ...merge, mergedUserId } });
  await forgetOwner(deps, event);
};
