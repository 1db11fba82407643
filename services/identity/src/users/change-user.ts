import { type Caller, type User, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { applyBeforeHook } from "./row-hooks.ts";
import { toUser, type UserRow } from "./user-row.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "newId" | "ring" | "sessions" | "wakeRelay">;

export interface UserChange {
  user: UserRow;
  /** The members that change, with their new values. */
  change: Partial<User>;
  /** What was done, for the audit. */
  action: string;
  caller: Caller;
  /** The guarded statement; undefined from it means that the change is not possible any more. */
  write: (trx: Transaction<Tables>, now: Date) => Promise<UserRow | undefined>;
  /** What else commits with the change. */
  publish?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
}

const membersOf = (user: User, change: Partial<User>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(change).map((name) => [name, user[name as keyof User]]));

/**
 * Changes a user: row, event and audit commit together, then the copies that sessions carry are renewed, at once and, if
 * we die before that, by the event. Undefined when the guard of `write` said no.
 */
export const changeUser = async (
  deps: Needs,
  { user, change, action, caller, write, publish }: UserChange,
): Promise<UserRow | undefined> => {
  const hooks = deps.config.databaseHooks.user.update;
  if (!(await applyBeforeHook(hooks, { ...toUser(user), ...change })))
    throw new WireError("FAILED_TO_UPDATE_USER");
  const changed = await deps.db.transaction().execute(async (trx) => {
    const row = await write(trx, new Date(deps.clock()));
    if (!row) return undefined;
    await appendEvent(trx, { ...deps, newId: () => deps.newId("event") }, "user.updated", {
      userId: row.id,
    });
    await publish?.(trx);
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: row.id },
      subject: { kind: "user", id: row.id },
      action,
      caller,
      before: membersOf(user, change),
      after: change,
    });
    return row;
  });
  if (!changed) return undefined;
  deps.wakeRelay();
  await deps.sessions.renewUser(changed);
  await hooks.after?.(toUser(changed));
  return changed;
};
