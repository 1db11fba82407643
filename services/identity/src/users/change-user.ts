import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { advanceEpoch } from "../epochs/advance-epoch.ts";
import { publishBan } from "./publish-ban.ts";
import { updateUser, type UserGuard, type UserMembers } from "./queries.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { fromWholeUser, toWholeUser, type UserRow } from "./user-row.ts";
import { normaliseOverride } from "./username-rules.ts";

/** What it works with. */
export type ChangeUserNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "epochNotes" | "newEventId" | "ring" | "sessions" | "wakeRelay"
>;

export interface UserChange {
  user: UserRow;
  /** The members that change, with their new values; the application's hook may override them. */
  change: UserMembers;
  /** What was done, for the audit. */
  action: string;
  caller: Caller;
  /** What must still hold of the user. */
  guard?: UserGuard;
  /** By default the user. */
  actor?: AuditEntry["actor"];
  /** What else is done in the transaction, before; what it throws prevents the rest. */
  within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
  /** What else commits with the change; it is given the row as it was written. */
  publish?: ((trx: Transaction<Tables>, written: UserRow) => Promise<void>) | undefined;
}

const names = [
  "name",
  "email",
  "emailVerified",
  "image",
  "username",
  "displayUsername",
  "role",
  "banned",
  "banReason",
  "banExpires",
] as const;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The members of `from` in which the two users differ, and those that are `meant` besides. */
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
 * The change as the application's hook lets it through; its overrides are laid over the members. A member that already
 * has its new value is written all the same: somebody else may be about to write another.
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
 * Changes a user: row, event and audit commit together, then the copies that sessions carry are renewed, at once and, if
 * we die before that, by the event. Undefined when the guard does not hold any more, or the user is gone.
 * Rejects with a unique violation when a new address, username or unique field is taken.
 */
export const changeUser = async (
  deps: ChangeUserNeeds,
  { user, change, action, caller, actor, within, publish, guard = {} }: UserChange,
): Promise<UserRow | undefined> => {
  const members = await propose(deps, user, change);
  const changed = await deps.db.transaction().execute(async (trx) => {
    await within?.(trx);
    const row = await updateUser(trx, user.id, { members, guard, now: new Date(deps.clock()) });
    if (!row) return undefined;
    const { id: userId, revision } = row;
    await advanceEpoch(deps, trx, { userId, caller, revision });
    await appendEvent(trx, deps, { name: "user.updated", data: { userId } });
    if ("banned" in members || "banExpires" in members) await publishBan(trx, deps, row);
    await publish?.(trx, row);
    await appendAudit(trx, deps, {
      actor: actor ?? { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action,
      caller,
      before: differing(user, { ...row, extra: { ...user.extra, ...row.extra } }),
      after: members,
    });
    return row;
  });
  if (!changed) return undefined;
  deps.wakeRelay();
  await deps.sessions.renewUser(changed);
  await deps.config.databaseHooks.user.update.after?.(toWholeUser(changed));
  return changed;
};
