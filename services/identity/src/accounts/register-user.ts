import { WireError, type Caller, comparableEmail, type FullUser } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { isUniqueViolation, initialOf } from "@latchkey/service-kit/database";
import type { Transaction } from "kysely";
import { proposeAccount } from "./link-account.ts";
import { type Tables, userColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import { endAccess } from "../access/end-access.ts";
import { findGuestId, type GuestHolder } from "../access/link-guest.ts";
import { identifyGuest } from "../users/guests/queries.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { publishBan } from "../users/change-user.ts";
import {
  findUserById,
  insertAccount,
  insertUser,
  lockUser,
  type NewUser,
} from "../users/queries.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import { fromWholeUser, isBanned, toWholeUser, type UserRow } from "../users/user-row.ts";
import { normaliseOverride } from "../users/username-rules.ts";
import { type SecretColumns } from "../rows/accounts.ts";

/** Maps a unique violation to an error: usernames and phone numbers have their own. Returns other errors unchanged. */
export const takenError = (error: unknown, otherwise: WireError): unknown => {
  if (!isUniqueViolation(error)) return error;
  const { constraint } = error as { constraint?: string };
  if (constraint === "user_phone_number_key") return new WireError("PHONE_NUMBER_EXIST");
  return constraint === "user_username_key"
    ? new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER")
    : otherwise;
};

/** Returns whether the error means that the account at a provider is linked already. */
const isAccountTaken = (error: unknown): boolean =>
  isUniqueViolation(error) &&
  (error as { constraint?: string }).constraint === "account_of_provider";

export type RegisterUserNeeds = Pick<
  Deps,
  | "activity"
  | "clock"
  | "config"
  | "db"
  | "guestObserver"
  | "logger"
  | "newEventId"
  | "newId"
  | "revisionRecords"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

/** The data of a user to create. */
interface ProposedUser
  extends
    Pick<UserRow, "name" | "email" | "image">,
    Partial<
      Pick<
        UserRow,
        | "username"
        | "displayUsername"
        | "phoneNumber"
        | "phoneNumberVerified"
        | "banned"
        | "banReason"
        | "banExpires"
        | "isAnonymous"
      >
    > {
  /** Replaces the generated id. */
  id?: string | undefined;
  /** The session in which the user signs up. A guest keeps its id. */
  caller?: GuestHolder;
  emailVerified?: boolean;
  role?: string | undefined;
  extra: FieldValues;
}

/** Returns the row to insert as the application's hook has changed it. Ignores an id from the hook. */
export const proposeUser = async (
  deps: RegisterUserNeeds,
  { id, caller, role, extra, ...members }: ProposedUser,
): Promise<NewUser> => {
  const guestId = caller && (await findGuestId(deps, caller));
  const now = new Date(deps.clock());
  const proposed: UserRow = {
    ...initialOf(userColumns),
    id: id ?? guestId ?? (await deps.newId("user")),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    role: role ?? deps.config.admin.defaultRole,
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
  return { ...given, username, email: comparableEmail(given.email) };
};

/** A sign-in method: `credential` for a password, or a provider with its id of the user. */
interface NewAccount {
  providerId: string;
  accountId?: string;
  secrets: SecretColumns;
}

/** Returns a password account with this hash. */
export const passwordAccount = (hash: string): NewAccount => ({
  providerId: "credential",
  secrets: { password: hash },
});

export interface Registration {
  user: NewUser;
  /** The first account, with its secrets in stored form. A user who signs in by mail has none. */
  account?: NewAccount | undefined;
  caller: Caller;
  /** Default: the new user, who signs up. */
  actor?: AuditEntry["actor"] | undefined;
  /** Runs first in the transaction. An error rolls it back. */
  within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
  /** Runs last in the transaction. */
  publish?: ((trx: Transaction<Tables>) => Promise<unknown>) | undefined;
}

/** Rolls back the transaction. */
class AddressTaken extends Error {}

/**
 * Returns whether a claim spares the account. Somebody other than the address's owner may have caused its creation, and may know the password:
 * a thief of an admin's old session creates a user with any address. An invitation has no password that anybody could know.
 */
const isProvisioned = (
  { emailVerified }: NewUser,
  { secrets }: NewAccount,
  actor: Registration["actor"],
): boolean => actor !== undefined && (emailVerified || secrets.password === null);

const isAddressTaken = (error: unknown): boolean =>
  isUniqueViolation(error) && (error as { constraint?: string }).constraint === "user_email_key";

/**
 * Makes a guest the user who signs up. Its sessions and keys end: others may have used the browser before. Returns undefined for anybody
 * else, and for a guest who was banned meanwhile, whose ban a sign-up must not lift. Keys end by the event.
 */
const identify = async (
  deps: RegisterUserNeeds,
  trx: Transaction<Tables>,
  { user, caller }: Pick<Registration, "caller" | "user">,
): Promise<{ row: UserRow; keysEnded: Awaited<ReturnType<typeof endAccess>> } | undefined> => {
  const { id: userId } = user;
  if (!(await lockUser(trx, userId))) return undefined;
  const guest = await findUserById(trx, userId);
  if (!guest || isBanned(guest, deps.clock())) return undefined;
  const row = await identifyGuest(trx, user).catch((error: unknown) => {
    throw isAddressTaken(error) ? new AddressTaken() : error;
  });
  if (!row) return undefined;
  await advanceRevision(deps, trx, { userId, caller, revision: row.revision });
  const keysEnded = await endAccess(trx, deps, { userId, fact: "user.identified" });
  const { name, email, emailVerified } = row;
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "user.identified",
    caller,
    after: { name, email, emailVerified, isAnonymous: false },
  });
  return { row, keysEnded };
};

/**
 * Inserts a user, with a first account if there is one. A guest who signs up becomes the user. User, account, audit row and the writes of
 * `publish` commit together or not at all. Returns undefined if the address is taken or another user has the account at the provider.
 */
export const registerUser = async (
  deps: RegisterUserNeeds,
  { user, account: given, caller, actor, within, publish }: Registration,
): Promise<UserRow | undefined> => {
  const account = given && (await proposeAccount(deps, user.id, given));
  if (given && !account) throw new WireError("FAILED_TO_CREATE_USER");
  const mayBeGuest = deps.config.anonymous.enabled && !actor && !user.isAnonymous;
  let identified: Awaited<ReturnType<typeof identify>>;
  const registered = await deps.db
    .transaction()
    .execute(async (trx) => {
      await within?.(trx);
      identified = mayBeGuest ? await identify(deps, trx, { user, caller }) : undefined;
      const row = identified?.row ?? (await insertUser(trx, user));
      if (!row) throw new AddressTaken();
      const { createdAt, updatedAt } = user;
      if (account && given)
        await insertAccount(trx, {
          ...account,
          ...given.secrets,
          provisioned: isProvisioned(user, given, actor),
          createdAt,
          updatedAt,
        });
      if (row.banned) await publishBan(trx, deps, row);
      await publish?.(trx);
      if (identified) return row;
      await appendAudit(trx, deps, {
        actor: actor ?? { kind: "user", id: row.id },
        subject: { kind: "user", id: row.id },
        action: "user.created",
        caller,
        after: { role: row.role },
      });
      return row;
    })
    .catch((error: unknown) => {
      if (error instanceof AddressTaken || isAccountTaken(error)) return undefined;
      throw takenError(error, new WireError("FAILED_TO_CREATE_USER", { status: 422 }));
    });
  if (!registered) return undefined;
  if (!actor && !registered.isAnonymous) deps.activity.recordSignUp();
  if (publish || registered.banned || identified) deps.wakeRelay();
  if (identified) {
    const { id } = registered;
    if (caller && identified.keysEnded) deps.urgentEvents.note(caller, identified.keysEnded);
    deps.guestObserver.record("identified");
    await endSessions(deps, { userId: id, actor: { kind: "user", id }, caller });
  }
  if (account) await deps.config.databaseHooks.account.create.after?.(account);
  await deps.config.databaseHooks.user.create.after?.(toWholeUser(registered));
  return registered;
};
