import { compileOnce } from "@latchkey/service-kit";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { AccountTable, Tables, UserTable } from "../db/tables.ts";
import { userColumns, type UserRow } from "./user-row.ts";

/** A user to be written. */
export type NewUser = Omit<UserRow, "revision">;

/**
 * Inserts a user unless one has the address; one of many at once wins, the others get undefined. Rejects with a unique
 * violation when the username or the value of a unique field is taken.
 */
export const insertUser = (
  db: Kysely<Tables>,
  { extra, ...user }: NewUser,
): Promise<UserRow | undefined> =>
  db
    .insertInto("user")
    .values({ ...user, extra: JSON.stringify(extra) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning(userColumns)
    .executeTakeFirst();

export const insertAccount = async (
  db: Kysely<Tables>,
  account: Insertable<AccountTable>,
): Promise<void> => {
  await db.insertInto("account").values(account).execute();
};

export const findUserById = (db: Kysely<Tables>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom("user").select(userColumns).where("id", "=", id).executeTakeFirst();

/** `email` in lower case. */
export const findUserByEmail = (db: Kysely<Tables>, email: string): Promise<UserRow | undefined> =>
  db.selectFrom("user").select(userColumns).where("email", "=", email).executeTakeFirst();

/** `username` normalised. */
export const findUserByUsername = (
  db: Kysely<Tables>,
  username: string,
): Promise<{ id: string } | undefined> =>
  db.selectFrom("user").select("id").where("username", "=", username).executeTakeFirst();

/** What other services show of a user. */
export type NamedUser = Pick<UserRow, "id" | "name" | "email" | "emailVerified" | "image">;

/** The users of some ids or addresses in lower case, in no order. */
export const listUsersBy = (
  db: Kysely<Tables>,
  { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
): Promise<NamedUser[]> =>
  db
    .selectFrom("user")
    .select(["id", "name", "email", "emailVerified", "image"])
    .where((eb) =>
      eb.or([
        eb("id", "=", sql<string>`any(${[...ids]}::text[])`),
        eb("email", "=", sql<string>`any(${[...emails]}::text[])`),
      ]),
    )
    .execute();

/** What a decision about a user may rest on, as long as the user is locked. */
export type LockedUser = Pick<UserRow, "email" | "emailVerified" | "revision"> &
  Pick<Selectable<UserTable>, "sessionsEndedAt">;

/** Keeps whoever else changes a user, or deletes one, waiting until the transaction ends; undefined without a user. */
export const lockUserRow = (trx: Kysely<Tables>, id: string): Promise<LockedUser | undefined> =>
  trx
    .selectFrom("user")
    .select(["email", "emailVerified", "revision", "sessionsEndedAt"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The user is locked. */
export const updateSessionsEndedAt = async (
  trx: Kysely<Tables>,
  id: string,
  sessionsEndedAt: Date,
): Promise<void> => {
  await trx.updateTable("user").set({ sessionsEndedAt }).where("id", "=", id).execute();
};

/** What a user is found by who signs in: an address in lower case, a normalised username, or the id. */
export interface CredentialKey {
  by: "email" | "username" | "id";
  value: string;
}

const selectCredentialBy = (column: CredentialKey["by"]) =>
  compileOnce<Tables, { value: string }, UserRow & { passwordHash: string | null }>((db, param) =>
    db
      .selectFrom("user")
      .leftJoin("account", (join) =>
        join.onRef("account.userId", "=", "user.id").on("account.providerId", "=", "credential"),
      )
      .select([...userColumns, "account.password as passwordHash"])
      .where(`user.${column}`, "=", param("value")),
  );

const selectCredential = {
  email: selectCredentialBy("email"),
  username: selectCredentialBy("username"),
  id: selectCredentialBy("id"),
};

/** A user with the stored hash of their password account, null where there is none. */
export const findCredential = async (
  db: Kysely<Tables>,
  { by, value }: CredentialKey,
): Promise<{ user: UserRow; passwordHash: string | null } | undefined> => {
  const [row] = await selectCredential[by](db, { value });
  if (!row) return undefined;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
};

/** The members of a user that a change may write; of `extra` those that it names. */
export type UserMembers = Partial<Omit<NewUser, "id" | "createdAt" | "updatedAt">>;

/** What must still hold of a user for a change to be meant for it. */
export type UserGuard = Partial<Pick<UserRow, "email" | "emailVerified" | "banExpires">> & {
  /** When the session began that it is made in: the user must not have been taken from whoever is in it. */
  sessionCreatedAt?: Date;
};

/**
 * Changes a user of whom the guard still holds; undefined when it does not. Rejects with a unique violation when a new
 * address, username or unique field is taken.
 */
export const updateUser = (
  db: Kysely<Tables>,
  id: string,
  change: { members: UserMembers; guard: UserGuard; now: Date },
): Promise<UserRow | undefined> => {
  const { extra, ...members } = change.members;
  const { sessionCreatedAt, ...guard } = change.guard;
  return db
    .updateTable("user")
    .set((eb) => ({
      ...members,
      ...(extra ? { extra: sql`extra || ${JSON.stringify(extra)}::jsonb` } : {}),
      updatedAt: change.now,
      revision: eb("revision", "+", 1),
    }))
    .where("id", "=", id)
    .where((eb) => eb.and(guard))
    .$if(sessionCreatedAt !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb("sessionsEndedAt", "is", null),
          eb("sessionsEndedAt", "<", sessionCreatedAt ?? null),
        ]),
      ),
    )
    .returning(userColumns)
    .executeTakeFirst();
};

/** Deletes a user with what hangs on the row: accounts and sessions. Gives the address; undefined without a user. */
export const deleteUserRow = (
  db: Kysely<Tables>,
  id: string,
): Promise<{ email: string } | undefined> =>
  db.deleteFrom("user").where("id", "=", id).returning("email").executeTakeFirst();
