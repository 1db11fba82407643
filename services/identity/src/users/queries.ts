import type { User } from "@latchkey/contracts";
import { compileOnce } from "@latchkey/service-kit";
import type { Insertable, Kysely } from "kysely";
import type { AccountTable, Tables } from "../db/tables.ts";
import { userColumns, type UserRow } from "./user-row.ts";

/** Inserts a user unless one has the address; one of many at once wins, the others get undefined. */
export const insertUser = (db: Kysely<Tables>, user: User): Promise<UserRow | undefined> =>
  db
    .insertInto("user")
    .values(user)
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

const selectCredential = compileOnce<
  Tables,
  { email: string },
  UserRow & { passwordHash: string | null }
>((db, param) =>
  db
    .selectFrom("user")
    .leftJoin("account", (join) =>
      join.onRef("account.userId", "=", "user.id").on("account.providerId", "=", "credential"),
    )
    .select([...userColumns, "account.password as passwordHash"])
    .where("user.email", "=", param("email")),
);

/** The user of an address with the stored hash of its password account, null where there is none. */
export const findCredential = async (
  db: Kysely<Tables>,
  email: string,
): Promise<{ user: UserRow; passwordHash: string | null } | undefined> => {
  const [row] = await selectCredential(db, { email });
  if (!row) return undefined;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
};

/** The members of a user that a change may write. */
export type UserMembers = Partial<Pick<User, "name" | "email" | "emailVerified" | "image">>;

/**
 * Changes a user who still has the address and flag that the change was meant for; undefined when not. Rejects with a
 * unique violation when a new address is taken.
 */
export const updateUser = (
  db: Kysely<Tables>,
  guard: { id: string; email: string; emailVerified: boolean },
  { members, now }: { members: UserMembers; now: Date },
): Promise<UserRow | undefined> =>
  db
    .updateTable("user")
    .set((eb) => ({ ...members, updatedAt: now, revision: eb("revision", "+", 1) }))
    .where("id", "=", guard.id)
    .where("email", "=", guard.email)
    .where("emailVerified", "=", guard.emailVerified)
    .returning(userColumns)
    .executeTakeFirst();
