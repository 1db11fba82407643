import { type Caller, type Event, WireError } from "@latchkey/contracts";
import {
  appendAudit,
  appendEvent,
  type AuditEntry,
  namesOf,
  withoutColumns,
} from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { type Tables, userColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { auditedUser } from "./audited-user.ts";
import { publishBan } from "./publish-ban.ts";
import { updateUser, type UserGuard, type UserMembers } from "./queries.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { fromWholeUser, toWholeUser, type UserRow } from "./user-row.ts";
import { normaliseOverride } from "./username-rules.ts";

export type ChangeUserNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "revisionRecords"
  | "newEventId"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

export interface UserChange {
  user: UserRow;
  /** The changed members with their new values. The application's hook may override them. */
  change: UserMembers;
  /** The audit action. */
  action: string;
  caller: Caller;
  /** The state of the user that must still hold. */
  guard?: UserGuard;
  /** The address is verified only by a mailed link, in a browser that was not known to be the user's. */
  byLinkAlone?: boolean;
  /** Default: the user. */
  actor?: AuditEntry["actor"];
  /** Runs first in the transaction. An error rolls it back. */
  within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
  /** Runs in the transaction after the change, with the row as written. */
  publish?: ((trx: Transaction<Tables>, written: UserRow) => Promise<void>) | undefined;
}

const names = namesOf(
  withoutColumns(userColumns, "id", "createdAt", "updatedAt", "extra", "revision"),
);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Returns the members of `from` in which the two users differ, and those in `meant`. */
const differing = (from: UserRow, other: UserRow, meant: UserMembers = {}): UserMembers => {
  const members = names.filter((name) => name in meant || !isSame(from[name], other[name]));
  const fields = Object.keys(from.extra).filter(
    (name) => name in (meant.extra ?? {}) || !isSame(from.extra[name], other.extra[name]),
  );
  return {
    ...Object.fromEntries(members.map((name) => [name, from[name]])),
    ...(fields.length > 0
      ? { extra: Object.fromEntries(fields.map((name) => [name, from.extra[name]])) }
      : {}),
  };
};

/**
 * Applies the application's hook to the change. Its overrides take precedence. A member that already has the new value is
 * written as well, because a concurrent change may be writing another.
 */
const propose = async (
  deps: ChangeUserNeeds,
  user: UserRow,
  change: UserMembers,
): Promise<UserMembers> => {
  const { before } = deps.config.databaseHooks.user.update;
  const changed = { ...user, ...change, extra: { ...user.extra, ...change.extra } };
  const allowed = await applyBeforeHook({ before }, toWholeUser(changed));
  if (!allowed) throw new WireError("FAILED_TO_UPDATE_USER");
  const given = fromWholeUser(allowed, changed);
  const username = normaliseOverride(deps.config.username, {
    given: given.username,
    proposed: changed.username,
  });
  return differing({ ...given, username, email: given.email.toLowerCase() }, user, change);
};

/**
 * Changes a user. Row, event and audit row commit together. The user snapshots in sessions are then renewed: at once, or
 * by the event if this process dies before. A ban reaches the user's keys before the client gets the reply.
 *
 * Returns undefined if the guard no longer holds or the user was deleted. Rejects with a unique violation if a new
 * address, username or unique field is taken.
 */
export const changeUser = async (
  deps: ChangeUserNeeds,
  {
    user,
    change,
    action,
    caller,
    actor,
    within,
    publish,
    guard = {},
    byLinkAlone = false,
  }: UserChange,
): Promise<UserRow | undefined> => {
  const members = await propose(deps, user, change);
  let ban: Event | undefined;
  const changed = await deps.db.transaction().execute(async (trx) => {
    await within?.(trx);
    const now = new Date(deps.clock());
    const row = await updateUser(trx, user.id, { members, guard, now, byLinkAlone });
    if (!row) return undefined;
    const { id: userId, revision } = row;
    await advanceRevision(deps, trx, { userId, caller, revision });
    await appendEvent(trx, deps, { name: "user.updated", data: { userId } });
    if ("banned" in members || "banExpires" in members) ban = await publishBan(trx, deps, row);
    await publish?.(trx, row);
    await appendAudit(trx, deps, {
      actor: actor ?? { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action,
      caller,
      ...auditedUser(differing(user, { ...row, extra: { ...user.extra, ...row.extra } }), members),
    });
    return row;
  });
  if (!changed) return undefined;
  deps.wakeRelay();
  if (ban) deps.urgentEvents.note(caller, ban);
  await deps.sessions.renewUser(changed);
  await deps.config.databaseHooks.user.update.after?.(toWholeUser(changed));
  return changed;
};
