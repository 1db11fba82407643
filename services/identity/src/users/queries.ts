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

/** Replaces an address by one that is to be verified; undefined when the old one is no longer this user's. */
export const updateUserEmail = (
  db: Kysely<Tables>,
  change: { id: string; email: string; newEmail: string; now: Date },
): Promise<UserRow | undefined> =>
  db
    .updateTable("user")
    .set((eb) => ({
      email: change.newEmail,
      emailVerified: false,
      updatedAt: change.now,
      revision: eb("revision", "+", 1),
    }))
    .where("id", "=", change.id)
    .where("email", "=", change.email)
    .returning(userColumns)
    .executeTakeFirst();

/** Marks an address as verified, once: undefined when it was already, or is no longer this user's. */
export const updateUserVerified = (
  db: Kysely<Tables>,
  user: { id: string; email: string; now: Date },
): Promise<UserRow | undefined> =>
  db
    .updateTable("user")
    .set((eb) => ({ emailVerified: true, updatedAt: user.now, revision: eb("revision", "+", 1) }))
    .where("id", "=", user.id)
    .where("email", "=", user.email)
    .where("emailVerified", "=", false)
    .returning(userColumns)
    .executeTakeFirst();
