import { type Caller, type FullUser, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { SecretColumns } from "../accounts/secret-columns.ts";
import { proposeAccount } from "../accounts/propose-account.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "../fields/field-set.ts";
import { publishBan } from "./publish-ban.ts";
import { insertAccount, insertUser, type NewUser } from "./queries.ts";
import { applyCreateHook } from "./row-hooks.ts";
import { isAccountTaken, takenError } from "./taken-error.ts";
import { fromWholeUser, toWholeUser, type UserRow } from "./user-row.ts";
import { normaliseOverride } from "./username-rules.ts";

/** What it works with. */
export type RegisterUserNeeds = Pick<
  Deps,
  "activity" | "clock" | "config" | "db" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

/** What is known of a user who is to be. */
export interface ProposedUser
  extends
    Pick<UserRow, "name" | "email" | "image">,
    Partial<Pick<UserRow, "username" | "displayUsername" | "banned" | "banReason" | "banExpires">> {
  /** Instead of a made one. */
  id?: string | undefined;
  emailVerified?: boolean;
  role?: string | undefined;
  extra: FieldValues;
}

/** The row to write, as the application's hook lets it through; an id of the hook's own is passed by. */
export const proposeUser = async (
  deps: RegisterUserNeeds,
  { id, role, extra, ...members }: ProposedUser,
): Promise<NewUser> => {
  const now = new Date(deps.clock());
  const proposed: UserRow = {
    id: id ?? (await deps.newId("user")),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    username: null,
    displayUsername: null,
    role: role ?? deps.config.admin.defaultRole,
    banned: false,
    banReason: null,
    banExpires: null,
    ...members,
    extra,
    revision: 0,
  };
  const row = toWholeUser(proposed);
  const hooks = deps.config.databaseHooks.user.create;
  const allowed = await applyCreateHook<FullUser>(deps, hooks, { model: "user", row });
  if (!allowed) throw new WireError("FAILED_TO_CREATE_USER");
  const { revision: _, ...given } = fromWholeUser(allowed, proposed);
  const username = normaliseOverride(deps.config.username, {
    given: given.username,
    proposed: proposed.username,
  });
  return { ...given, username, email: given.email.toLowerCase() };
};

/** A way in: `credential` for a password, or a provider with its id of the user. */
export interface NewAccount {
  providerId: string;
  accountId?: string;
  secrets: SecretColumns;
}

/** The way in by a password with this hash. */
export const passwordAccount = (hash: string): NewAccount => ({
  providerId: "credential",
  secrets: { password: hash },
});

export interface Registration {
  user: NewUser;
  /** Their first way in, with its secrets as they rest. */
  account: NewAccount;
  caller: Caller;
  /** By default the new user, who signs up. */
  actor?: AuditEntry["actor"] | undefined;
  /** What else is done in the transaction, before; what it throws prevents the rest. */
  within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
  /** What else commits with it. */
  publish?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
}

/** Rolls back what else was done in the transaction. */
class AddressTaken extends Error {}

/**
 * Writes a user with their first account: user, account, audit and what `publish` adds commit together or not at all.
 * Undefined when the address is taken, or the account at a provider is somebody's already.
 */
export const registerUser = async (
  deps: RegisterUserNeeds,
  { user, account: { secrets, ...named }, caller, actor, within, publish }: Registration,
): Promise<UserRow | undefined> => {
  const account = await proposeAccount(deps, user.id, named);
  if (!account) throw new WireError("FAILED_TO_CREATE_USER");
  const registered = await deps.db
    .transaction()
    .execute(async (trx) => {
      await within?.(trx);
      const row = await insertUser(trx, user);
      if (!row) throw new AddressTaken();
      const { createdAt, updatedAt } = user;
      await insertAccount(trx, { ...account, ...secrets, createdAt, updatedAt });
      if (row.banned) await publishBan(trx, deps, row);
      await publish?.(trx);
      await appendAudit(trx, deps, {
        actor: actor ?? { kind: "user", id: row.id },
        subject: { kind: "user", id: row.id },
        action: "user.created",
        caller,
        after: { email: row.email, name: row.name, role: row.role },
      });
      return row;
    })
    .catch((error: unknown) => {
      if (error instanceof AddressTaken || isAccountTaken(error)) return undefined;
      throw takenError(error, new WireError("FAILED_TO_CREATE_USER", { status: 422 }));
    });
  if (!registered) return undefined;
  if (!actor) deps.activity.noteSignUp();
  if (publish || registered.banned) deps.wakeRelay();
  await deps.config.databaseHooks.account.create.after?.(account);
  await deps.config.databaseHooks.user.create.after?.(toWholeUser(registered));
  return registered;
};
