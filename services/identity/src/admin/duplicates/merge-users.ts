import { type Event, operations, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import { endAccess } from "../../access/end-access.ts";
import type { Tables } from "../../db/tables.ts";
import type { CallOf, Deps, Handler } from "../../deps.ts";
import { eraseUser, type EraseUserNeeds } from "../../profile/delete-user.ts";
import { endSessions } from "../../sessions/end-sessions.ts";
import { advanceRevision } from "../../user-revisions/advance-revision.ts";
import {
  adminActor,
  checkReach,
  isOneself,
  recheckReach,
  requireOtherAdmin,
} from "../../users/admin-rights.ts";
import { mergeNumber } from "../../phone-numbers/change-number.ts";
import { changeUser, type ChangeUserNeeds } from "../../users/change-user.ts";
import { mailLocaleOf } from "../../users/email.ts";
import { findUser } from "../../users/find-users.ts";
import { lockUser } from "../../users/queries.ts";
import { isBanned, type UserRow } from "../../users/user-row.ts";
import { operatorCaller } from "../operator.ts";
import {
  deleteMerge,
  findMerge,
  hasMerge,
  insertMerge,
  listPassedMerges,
  lockMerges,
  lockPassedMerge,
  type MergeRow,
  moveAccounts,
  movePasskeys,
  returnPasskeys,
} from "./queries.ts";

const { permission } = operations.identity.adminMergeUsers;

/** How long a merge can be undone. */
const undoableMilliseconds = 86_400_000;

const findBoth = async (
  deps: Pick<Deps, "db">,
  { userId, mergedUserId }: Pick<MergeRow, "mergedUserId" | "userId">,
): Promise<{ user: UserRow; merged: UserRow }> => {
  const [user, merged] = await Promise.all([
    userId === null ? undefined : findUser(deps, { id: userId }),
    findUser(deps, { id: mergedUserId }),
  ]);
  if (!user || !merged) throw new WireError("USER_NOT_FOUND");
  return { user, merged };
};

/** Rejects an admin who may not act on one of both, with the roles of the transaction. */
const recheckBoth = async (
  deps: Pick<Deps, "config">,
  trx: Transaction<Tables>,
  { call, users }: { call: Parameters<typeof checkReach>[1]; users: readonly UserRow[] },
): Promise<void> => {
  for (const target of users) await recheckReach(deps, call, { permission, target })(trx);
};

/**
 * Rejects users who must not be merged, with their state in the transaction, which holds both. A stranger may have registered an address
 * that nobody has proven: their accounts would sign in as the other user. A mailed link alone proves nothing about them. A ban must not be
 * escaped.
 */
const checkMergeable = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  users: readonly UserRow[],
): Promise<void> => {
  const ids = users.map(({ id }) => id);
  let areProven = true;
  for (const id of ids.toSorted()) {
    const locked = await lockUser(trx, id);
    if (!locked) throw new WireError("USER_NOT_FOUND");
    areProven &&= locked.emailVerified && !locked.verifiedByLinkAlone;
  }
  const current = await Promise.all(ids.map((id) => findUser({ db: trx }, { id })));
  const now = deps.clock();
  const areFree = current.every((user) => user && !isBanned(user, now));
  if (!areProven || !areFree || (await hasMerge(trx, { userIds: ids })))
    throw new WireError("USERS_CANNOT_BE_MERGED");
};

/**
 * Rejects a change of the ban of a user who was merged into another one, in the transaction of the change. Nothing but the undo of the merge
 * ends that ban.
 */
export const refuseMerged = async (trx: Transaction<Tables>, userId: string): Promise<void> => {
  // A merge that is not yet committed holds the user.
  await lockUser(trx, userId);
  if (await hasMerge(trx, { userIds: [userId], as: ["mergedUserId"] }))
    throw new WireError("USER_IS_MERGED");
};

/** The user who stays, and the one who was merged into them. */
interface Pair {
  user: UserRow;
  merged: UserRow;
}

interface MovedUsers extends Pair {
  call: CallOf<"adminMergeUsers">;
  merge: Pick<MergeRow, "id" | "mergedAt" | "mergedUserId" | "undoableUntil"> & { userId: string };
}

type MergeNotice = Omit<Event<"accounts.separated">["data"], "separatedAt">;

interface Notice extends Pair {
  call: Pick<CallOf<"adminMergeUsers">, "caller">;
  eventOf: (data: MergeNotice) => Parameters<typeof appendEvent>[2];
}

/** Has the mailer tell both addresses, because the person may own one of them only. */
const mailBoth = async (
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  trx: Transaction<Tables>,
  { user, merged, call: { caller }, eventOf }: Notice,
): Promise<void> => {
  const emails = { keptEmail: user.email, mergedEmail: merged.email };
  for (const { id: userId, email, name } of [user, merged]) {
    const language = await mailLocaleOf(trx, { userId, caller });
    await appendEvent(trx, deps, eventOf({ userId, email, name, ...emails, ...language }));
  }
};

/** Moves what belongs to the merged user in this service, and publishes the events that move the rest and send the mails. */
const move = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  users: MovedUsers,
): Promise<void> => {
  const { call, merge } = users;
  const { id: mergeId, userId, mergedUserId } = merge;
  const way = { from: mergedUserId, to: userId };
  const accountIds = await moveAccounts(trx, way);
  const passkeys = await movePasskeys(trx, way);
  const by = { actor: adminActor(call), caller: call.caller };
  const phoneNumber = await mergeNumber(deps, trx, { ...way, ...by });
  const idsOf = (moved: typeof passkeys) => moved.map(({ id }) => id);
  await insertMerge(trx, {
    ...merge,
    accountIds,
    passkeyIds: idsOf(passkeys),
    handlePasskeyIds: idsOf(passkeys.filter(({ hasUserHandle }) => hasUserHandle)),
    phoneNumber,
  });
  await endAccess(trx, deps, { userId: mergedUserId, fact: "user.merged-away" });
  await appendEvent(trx, deps, { name: "user.merged", data: { mergeId, userId, mergedUserId } });
  const mergedAt = merge.mergedAt.toISOString();
  const undoableUntil = merge.undoableUntil.toISOString();
  await mailBoth(deps, trx, {
    ...users,
    eventOf: (data) => ({ name: "accounts.merged", data: { ...data, mergedAt, undoableUntil } }),
  });
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "user", id: userId },
    action: "user.merged",
    after: { mergedUserId, accounts: accountIds.length, passkeys: passkeys.length },
  });
};

/**
 * Merges a user into another one, who gets their accounts at providers, passkeys and phone number, and by an event memberships and API keys.
 * The merged user is banned until a sweep deletes them after a day (ADR 114). Their password and second factor move nowhere.
 */
export const adminMergeUsers: Handler<"adminMergeUsers"> = async (deps, call) => {
  const { body, caller } = call;
  if (isOneself(call, body.userId) || isOneself(call, body.mergedUserId))
    throw new WireError("YOU_CANNOT_MERGE_YOURSELF");
  if (body.userId === body.mergedUserId) throw new WireError("USERS_CANNOT_BE_MERGED");
  const { user, merged } = await findBoth(deps, body);
  const users = [user, merged];
  for (const target of users) checkReach(deps, call, { permission, target });
  const mergedAt = new Date(deps.clock());
  const merge = {
    id: deps.newEventId(),
    userId: user.id,
    mergedUserId: merged.id,
    mergedAt,
    undoableUntil: new Date(mergedAt.getTime() + undoableMilliseconds),
  };
  const actor = adminActor(call);
  const changed = await changeUser(deps, {
    user: merged,
    change: { banned: true, banReason: "Merged into another user", banExpires: null },
    action: "user.merged-away",
    actor,
    caller,
    within: async (trx) => {
      await lockMerges(trx);
      await recheckBoth(deps, trx, { call, users });
      await requireOtherAdmin(deps, trx, { losing: merged.id });
      await checkMergeable(deps, trx, users);
    },
    publish: (trx) => move(deps, trx, { call, merge, user, merged }),
  });
  if (!changed) throw new WireError("USER_NOT_FOUND");
  await endSessions(deps, { userId: merged.id, actor, caller });
  return { reply: { ...merge, mergedEmail: merged.email } };
};

/** Returns what a merge has moved, as far as the user still has it, ends the sessions that it may have begun, and tells both of it. */
const moveBack = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  { call, merge, user, merged }: Pair & { call: CallOf<"adminUndoMerge">; merge: MergeRow },
): Promise<void> => {
  const { id: userId } = user;
  const { id: mergeId, mergedUserId, phoneNumber } = merge;
  const way = { from: userId, to: mergedUserId };
  await moveAccounts(trx, { ...way, ids: merge.accountIds });
  await returnPasskeys(trx, { ...way, ids: merge.passkeyIds, handleIds: merge.handlePasskeyIds });
  const by = { actor: adminActor(call), caller: call.caller };
  if (phoneNumber !== null) await mergeNumber(deps, trx, { ...way, ...by, only: phoneNumber });
  await advanceRevision(deps, trx, { userId, caller: call.caller });
  await endAccess(trx, deps, { userId, fact: "user.merge-undone" });
  const data = { mergeId, userId, mergedUserId };
  await appendEvent(trx, deps, { name: "user.merge-undone", data });
  const separatedAt = new Date(deps.clock()).toISOString();
  const eventOf = (notice: MergeNotice) =>
    ({ name: "accounts.separated", data: { ...notice, separatedAt } }) as const;
  await mailBoth(deps, trx, { call, user, merged, eventOf });
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "user", id: userId },
    action: "user.merge-undone",
    after: { mergedUserId },
  });
};

/** Undoes a merge within a day. Of several concurrent calls one undoes it. */
export const adminUndoMerge: Handler<"adminUndoMerge"> = async (deps, call) => {
  const merge = await findMerge(deps.db, call.body.id);
  if (!merge) throw new WireError("MERGE_NOT_FOUND");
  const { user, merged } = await findBoth(deps, merge);
  const users = [user, merged];
  for (const target of users) checkReach(deps, call, { permission, target });
  const actor = adminActor(call);
  const changed = await changeUser(deps, {
    user: merged,
    change: { banned: false, banReason: null, banExpires: null },
    action: "user.unbanned",
    actor,
    caller: call.caller,
    within: async (trx) => {
      await lockMerges(trx);
      await recheckBoth(deps, trx, { call, users });
      const now = new Date(deps.clock());
      if (!(await deleteMerge(trx, { id: merge.id, now, isPassed: false })))
        throw new WireError("MERGE_NOT_FOUND");
      if (!(await lockUser(trx, user.id))) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile
    },
    publish: (trx) => moveBack(deps, trx, { call, merge, user, merged }),
  });
  if (!changed) throw new WireError("USER_NOT_FOUND");
  await endSessions(deps, { userId: user.id, actor, caller: call.caller });
  return { reply: { status: true } };
};

const batchSize = 100;

/** Thrown in the transaction of a deletion that must not happen. */
class MergeUndone extends Error {}

/** Deletes the merged user of a merge that can no longer be undone. One whose ban was lifted meanwhile stays, and so does the last admin. */
const complete = async (
  deps: EraseUserNeeds,
  { id, mergedUserId: userId }: MergeRow,
): Promise<void> => {
  const now = new Date(deps.clock());
  const merged = await findUser(deps, { id: userId });
  if (!merged?.banned) {
    await deleteMerge(deps.db, { id, now, isPassed: true });
    return;
  }
  const within = async (trx: Transaction<Tables>) => {
    // The merge goes with the user, because the event of the deletion names it.
    if (!(await lockPassedMerge(trx, { id, now }))) throw new MergeUndone();
  };
  const caller = operatorCaller(deps, "merge");
  try {
    await eraseUser(deps, { userId, caller, actor: { kind: "system" }, within });
  } catch (error) {
    if (!(error instanceof MergeUndone || error instanceof WireError)) throw error;
  }
};

/** Deletes the users who were merged into others more than a day ago, at most a batch of them at a time. */
export const sweepMerges = async (deps: EraseUserNeeds): Promise<void> => {
  for (const merge of await listPassedMerges(deps.db, new Date(deps.clock()), batchSize))
    await complete(deps, merge);
};
