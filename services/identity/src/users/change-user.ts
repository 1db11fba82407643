import {
  type Event,
  type Caller,
  comparableEmail,
  type FactName,
  WireError,
} from "@latchkey/contracts";
import { type AuditEntry, auditRow } from "@latchkey/service-kit/audit";
import { namesOf, withoutColumns } from "@latchkey/service-kit/database";
import { appendEvent, prepareEvent } from "@latchkey/service-kit/events";
import { auditedFields } from "@latchkey/service-kit/fields";
import { deleteReplacedPicture } from "@latchkey/service-kit/pictures";
import type { Kysely, Transaction } from "kysely";
import { type Tables, userColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type UserRow, fromWholeUser, toWholeUser } from "./user-row.ts";
import type { UserMembers, UserGuard } from "./queries.ts";
import { updateUser } from "./change/queries.ts";
import { findUser } from "./find-users.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { normaliseOverride } from "./username-rules.ts";

/**
 * Publishes the ban state of a user in the transaction that wrote the row. Of two events, the one with the higher
 * revision is the later.
 */
export const publishBan = (
  trx: Kysely<Tables>,
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  { id: userId, revision, banned, banExpires }: UserRow,
): Promise<Event<"user.ban-changed">> =>
  appendEvent(trx, deps, {
    name: "user.ban-changed",
    data: { userId, revision, banned, banExpires: banExpires?.toISOString() ?? null },
  });

/** Members whose values do not identify the user. */
const shownMembers: ReadonlySet<string> = new Set([
  "banExpires",
  "banReason",
  "banned",
  "emailVerified",
  "role",
]);

/** Returns whether the audit row of a change records the state before it. */
const isStateAudited = (members: UserMembers): boolean =>
  Object.keys(members).some((name) => shownMembers.has(name));

/**
 * Returns the audit form of a user's changed members. Audit rows outlive the user. For names, addresses and additional
 * fields they therefore record only that the value changed.
 */
export const auditedUser = (
  from: UserMembers,
  to: UserMembers,
): Pick<AuditEntry, "after" | "before"> => {
  const shown = (members: UserMembers) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => shownMembers.has(name)));
  const { extra, ...named } = to;
  const masked = Object.keys(named).filter((name) => !shownMembers.has(name));
  const before = shown(from);
  return {
    ...(Object.keys(before).length > 0 ? { before } : {}),
    after: {
      ...shown(to),
      ...Object.fromEntries(masked.map((name) => [name, "changed"])),
      ...auditedFields(extra),
    },
  };
};

export type ChangeUserNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "revisionRecords"
  | "newEventId"
  | "ring"
  | "sessions"
  | "settleEvent"
  | "urgentEvents"
  | "wakeRelay"
>;

export interface UserChange {
  /** The user as the caller read it, or only the id if nothing was read. */
  user: UserRow | Pick<UserRow, "id">;
  /** The changed members with their new values. The application's hook may override them. */
  change: UserMembers;
  /** The audit action. */
  action: FactName;
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
  const allowedRow = fromWholeUser(allowed, changed);
  const username = normaliseOverride(deps.config.username, {
    given: allowedRow.username,
    proposed: changed.username,
  });
  return differing(
    { ...allowedRow, username, email: comparableEmail(allowedRow.email) },
    user,
    change,
  );
};

interface Plan {
  members: UserMembers;
  audited: Pick<AuditEntry, "after" | "before">;
}

/**
 * Returns what a change writes, or undefined if the user was deleted. Reads an unread user only if the hook or the audit
 * needs its state.
 */
const planChange = async (
  deps: ChangeUserNeeds,
  { user, change }: Pick<UserChange, "change" | "user">,
): Promise<Plan | undefined> => {
  const { before } = deps.config.databaseHooks.user.update;
  const isRead = "revision" in user;
  if (!isRead && !before && !("email" in change) && !isStateAudited(change))
    return { members: change, audited: auditedUser({}, change) };
  const row = isRead ? user : await findUser(deps, user);
  if (!row) return undefined;
  const members = await propose(deps, row, change);
  const meant = { ...row, ...members, extra: { ...row.extra, ...members.extra } };
  return { members, audited: auditedUser(differing(row, meant), members) };
};

const changesBan = (members: UserMembers): boolean =>
  "banned" in members || "banExpires" in members;

const needsOwnRows = (members: UserMembers): boolean => changesBan(members) || "image" in members;

/** Deletes a replaced picture. Publishes a changed ban, and returns its event. */
const writeOwnRows = async (
  trx: Transaction<Tables>,
  deps: ChangeUserNeeds,
  { members, row }: { members: UserMembers; row: UserRow },
): Promise<Event | undefined> => {
  if ("image" in members) await deleteReplacedPicture(trx, { ownerId: row.id, address: row.image });
  return changesBan(members) ? publishBan(trx, deps, row) : undefined;
};

/**
 * Changes a user. Row, event and audit row commit together. If sessions hold user snapshots, these are then renewed: at
 * once, or by the event if this process dies before. A ban reaches the user's keys before the client gets the reply.
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
  const { id } = user;
  const plan = await planChange(deps, { user, change });
  if (!plan) return undefined;
  const { members, audited } = plan;
  const entry: AuditEntry = {
    actor: actor ?? { kind: "user", id },
    subject: { kind: "user", id },
    action,
    caller,
    ...audited,
  };
  const { storesUserSnapshots } = deps.sessions;
  const event = { name: "user.updated", data: { userId: id } } as const;
  const isSeveral = within !== undefined || publish !== undefined || needsOwnRows(members);
  // A change of rights is published at once, so that a dead process delays its renewal least.
  const isOwn = storesUserSnapshots && !isSeveral && !isStateAudited(members);
  const isPublished = storesUserSnapshots && !isOwn;
  const ownEvent = isOwn ? prepareEvent(deps, event).row : undefined;
  const write = (db: Kysely<Tables>) => {
    const now = new Date(deps.clock());
    const audit = auditRow(deps, entry);
    return updateUser(db, { id, members, guard, now, byLinkAlone, audit, ownEvent });
  };
  let ban: Event | undefined;
  const writeWithEvents = async (trx: Transaction<Tables>) => {
    await within?.(trx);
    const row = await write(trx);
    if (!row) return undefined;
    if (isPublished) await appendEvent(trx, deps, event);
    ban = await writeOwnRows(trx, deps, { members, row });
    await publish?.(trx, row);
    return row;
  };
  const hasEvents = isSeveral || isPublished;
  const changed = hasEvents
    ? await deps.db.transaction().execute(writeWithEvents)
    : await write(deps.db);
  if (!changed) return undefined;
  deps.revisionRecords.note(caller, id, changed.revision);
  if (hasEvents) deps.wakeRelay();
  if (ban) deps.urgentEvents.note(caller, ban);
  await deps.sessions.renewUser(changed);
  if (ownEvent) deps.settleEvent(ownEvent.id);
  await deps.config.databaseHooks.user.update.after?.(toWholeUser(changed));
  return changed;
};
