import { type Caller, type User, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { updateUser, type UserMembers } from "./queries.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { toUser, type UserRow } from "./user-row.ts";

type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "newEventId" | "ring" | "sessions" | "wakeRelay"
>;

export interface UserChange {
  user: UserRow;
  /** The members that change, with their new values; the application's hook may override them. */
  change: UserMembers;
  /** What was done, for the audit. */
  action: string;
  caller: Caller;
  /** What else commits with the change. */
  publish?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
}

const names = ["name", "email", "emailVerified", "image"] as const;

/** The members of `from` in which the two users differ. */
const differing = (from: User, other: User): UserMembers =>
  Object.fromEntries(
    names.filter((name) => from[name] !== other[name]).map((name) => [name, from[name]]),
  );

/**
 * Changes a user: row, event and audit commit together, then the copies that sessions carry are renewed, at once and, if
 * we die before that, by the event. Undefined when the user's address is no longer the one that the change was meant for.
 */
export const changeUser = async (
  deps: Needs,
  { user, change, action, caller, publish }: UserChange,
): Promise<UserRow | undefined> => {
  const hooks = deps.config.databaseHooks.user.update;
  const before = toUser(user);
  const after = await applyBeforeHook(hooks, { ...before, ...change });
  if (!after) throw new WireError("FAILED_TO_UPDATE_USER");
  const members = differing(after, before);
  const changed = await deps.db.transaction().execute(async (trx) => {
    const row = await updateUser(trx, user, { members, now: new Date(deps.clock()) });
    if (!row) return undefined;
    await appendEvent(
      trx,
      { ...deps, newId: deps.newEventId },
      {
        name: "user.updated",
        data: { userId: row.id },
      },
    );
    await publish?.(trx);
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: row.id },
      subject: { kind: "user", id: row.id },
      action,
      caller,
      before: differing(before, after),
      after: members,
    });
    return row;
  });
  if (!changed) return undefined;
  deps.wakeRelay();
  await deps.sessions.renewUser(changed);
  await hooks.after?.(toUser(changed));
  return changed;
};
