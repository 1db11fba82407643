import type { OperationReply, operations } from "@latchkey/contracts";
import { compileOnce, plannedList, type Slots } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { AccountTable, Tables, UserTable } from "../db/tables.ts";
import { schema } from "../db/schema.ts";
import { hasSecondFactor } from "../db/has-second-factor.ts";
import { userSelection, type UserRow } from "./user-row.ts";

/** A user to insert. */
export type NewUser = Omit<UserRow, "revision">;

/**
 * Inserts a user unless the address is taken. One of several concurrent calls wins, the others get undefined. Rejects
 * with a unique violation if the username or the value of a unique field is taken.
 */
export const insertUser = (
  db: Kysely<Tables>,
  { extra, ...user }: NewUser,
): Promise<UserRow | undefined> =>
  db
    .insertInto("user")
    .values({ ...user, extra: JSON.stringify(extra) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning(userSelection)
    .executeTakeFirst();

export const insertAccount = async (
  db: Kysely<Tables>,
  account: Insertable<AccountTable>,
): Promise<void> => {
  await db.insertInto("account").values(account).execute();
};

const selectUserById = compileOnce((db: Kysely<Tables>, { id }: Slots<{ id: string }>) =>
  db.selectFrom("user").select(userSelection).where("id", "=", id),
);

export const findUserById = (db: Kysely<Tables>, id: string): Promise<UserRow | undefined> =>
  selectUserById.first(db, { id });

const selectLocale = compileOnce((db: Kysely<Tables>, { id }: Slots<{ id: string }>) =>
  db
    .selectFrom("user")
    .select(sql<string | null>`extra ->> 'locale'`.as("locale"))
    .where("id", "=", id),
);

/** Returns up to `limit` ids of users after `after`, in their order. */
export const listUserIdsAfter = async (
  db: Kysely<Tables>,
  after: string,
  limit: number,
): Promise<string[]> => {
  const users = db.selectFrom("user").select("id").where("id", ">", after);
  return (await users.orderBy("id").limit(limit).execute()).map(({ id }) => id);
};

/** Returns the additional field `locale` of a user. Without this field or user, returns null or undefined. */
export const findLocale = async (
  db: Kysely<Tables>,
  id: string,
): Promise<string | null | undefined> => (await selectLocale.first(db, { id }))?.locale;

/** `email` must be in lower case. */
export const findUserByEmail = (db: Kysely<Tables>, email: string): Promise<UserRow | undefined> =>
  db.selectFrom("user").select(userSelection).where("email", "=", email).executeTakeFirst();

/** `username` must be normalised. */
export const findUserByUsername = (
  db: Kysely<Tables>,
  username: string,
): Promise<{ id: string } | undefined> =>
  db.selectFrom("user").select("id").where("username", "=", username).executeTakeFirst();

const selectUsersBy = (
  db: Kysely<Tables>,
  { ids, emails }: Slots<{ ids: readonly string[]; emails: readonly string[] }>,
) =>
  db
    .selectFrom("user")
    .select(["id", "name", "email", "image"])
    .where((eb) =>
      eb.or([
        eb("id", "=", sql<string>`any(${ids}::text[])`),
        eb("email", "=", sql<string>`any(${emails}::text[])`),
      ]),
    );

/** Returns the members that other services show of the users with these ids or lower-case addresses, in no particular order. */
export const listUsersBy = compileOnce(selectUsersBy).rows;

type UserColumns = OperationReply<typeof operations.identity.describeUsers>;

const selectUserColumns = compileOnce<Tables, { ids: readonly (string | null)[] }, UserColumns>(
  (_, { ids }) => {
    const column = (name: "email" | "image" | "name") =>
      sql`coalesce(json_agg(found.${sql.ref(name)} order by asked.place), '[]')`;
    // pg decodes one JSON array faster than many texts.
    return sql<UserColumns>`
      select ${column("name")} as names, ${column("email")} as emails, ${column("image")} as images
      from unnest(${ids}::text[]) with ordinality as asked (id, place)
      left join ${sql.id(schema, "user")} as found on found.id = asked.id
      where asked.id is not null`; // fillers are null
  },
);

/** Returns the names, addresses and images of the users with these ids, each in the order of the ids. An unknown user has nulls. */
export const findUserColumns = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<UserColumns> => {
  const aggregate = await selectUserColumns.first(db, {
    ids: plannedList<string | null>(ids, null),
  });
  if (!aggregate) throw new Error("an aggregate has one row");
  return aggregate;
};

/** As `listUsersBy`, without users who have a second factor. */
export const listUsersWithoutSecondFactor = compileOnce(
  (db: Kysely<Tables>, slots: Parameters<typeof selectUsersBy>[1]) =>
    selectUsersBy(db, slots).where((eb) => eb.not(hasSecondFactor)),
).rows;

/** As `listUsersBy`, without users whose address is unproven. */
export const listProvenUsersBy = compileOnce(
  (db: Kysely<Tables>, slots: Parameters<typeof selectUsersBy>[1]) =>
    selectUsersBy(db, slots)
      .where("emailVerified", "=", true)
      .where("verifiedByLinkAlone", "=", false),
).rows;

/** The state of a locked user on which decisions may rely. */
export type LockedUser = Pick<
  UserRow,
  | "email"
  | "emailVerified"
  | "phoneNumber"
  | "phoneNumberVerified"
  | "revision"
  | "role"
  | "twoFactorEnabled"
> &
  Pick<Selectable<UserTable>, "sessionsEndedAt" | "verifiedByLinkAlone">;

/**
 * Locks the user's row until the transaction ends. Other changes of the user and of what belongs to the user wait. New
 * references to the user are still possible. Returns the locked state, or undefined if there is no such user.
 */
export const lockUser = (trx: Kysely<Tables>, id: string): Promise<LockedUser | undefined> =>
  trx
    .selectFrom("user")
    .select([
      "email",
      "emailVerified",
      "phoneNumber",
      "phoneNumberVerified",
      "revision",
      "role",
      "sessionsEndedAt",
      "twoFactorEnabled",
      "verifiedByLinkAlone",
    ])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/**
 * Returns whether a claim or an undo of the address has ended the sessions of a locked user that were created at this time. Such a
 * session may have been read before, and must not write anything any more.
 */
export const hasEndedSessionsOf = (
  { sessionsEndedAt }: Pick<LockedUser, "sessionsEndedAt">,
  sessionCreatedAt: Date,
): boolean => sessionsEndedAt !== null && sessionsEndedAt >= sessionCreatedAt;

/** Returns whether the address is verified only by a mailed link, in a browser that was not known to be the user's. */
export const isVerifiedByLinkAlone = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom("user")
    .select("verifiedByLinkAlone")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.verifiedByLinkAlone ?? false;
};

/** Returns whether the user has proven the address. A mailed link alone proves only that somebody reads the mailbox. */
export const isAddressProven = async (
  db: Kysely<Tables>,
  { id, emailVerified }: Pick<UserRow, "emailVerified" | "id">,
): Promise<boolean> => emailVerified && !(await isVerifiedByLinkAlone(db, id));

/** Records that the user was claimed by someone who has proven the address, which removes the phone number. The user must be locked. */
export const updateClaimed = async (
  trx: Kysely<Tables>,
  id: string,
  sessionsEndedAt: Date,
): Promise<void> => {
  await trx
    .updateTable("user")
    .set({
      sessionsEndedAt,
      verifiedByLinkAlone: false,
      twoFactorEnabled: false,
      phoneNumber: null,
      phoneNumberVerified: false,
    })
    .where("id", "=", id)
    .execute();
};

/** Records that sessions of before must not write anything any more. The user must be locked. */
export const updateSessionsEnded = async (
  trx: Kysely<Tables>,
  id: string,
  sessionsEndedAt: Date,
): Promise<void> => {
  await trx.updateTable("user").set({ sessionsEndedAt }).where("id", "=", id).execute();
};

/** Marks the address of a user as proven. Returns whether it was not verified before. The user must be locked. */
export const updateProven = async (
  trx: Kysely<Tables>,
  id: string,
  now: Date,
): Promise<boolean> => {
  const changed = await trx
    .updateTable("user")
    .set({ emailVerified: true, verifiedByLinkAlone: false, updatedAt: now })
    .where("id", "=", id)
    .where("emailVerified", "=", false)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
};

/** The members of a user that a change may write. Of `extra`, only the named fields change. */
export type UserMembers = Partial<Omit<NewUser, "id" | "createdAt" | "updatedAt">>;

/** The state of a user that a change requires. */
export type UserGuard = Partial<
  Pick<
    UserRow,
    | "email"
    | "emailVerified"
    | "banExpires"
    | "phoneNumber"
    | "phoneNumberVerified"
    | "revision"
    | "twoFactorEnabled"
  > &
    Pick<LockedUser, "verifiedByLinkAlone">
> & {
  /** When the session of the change was created. The user must not have been claimed since then. */
  sessionCreatedAt?: Date;
};

/** Returns the merge of a locked user into another one, who still exists. */
export const findMergeAway = async (
  trx: Kysely<Tables>,
  mergedUserId: string,
): Promise<{ mergeId: string; userId: string } | undefined> => {
  const merge = await trx
    .selectFrom("userMerge")
    .select(["id as mergeId", "userId"])
    .where("mergedUserId", "=", mergedUserId)
    .executeTakeFirst();
  return merge && merge.userId !== null ? { ...merge, userId: merge.userId } : undefined;
};

/** Deletes a user with its accounts and sessions. Returns the address, or undefined if there is no such user. */
export const deleteUserRow = (
  db: Kysely<Tables>,
  id: string,
): Promise<{ email: string } | undefined> =>
  db.deleteFrom("user").where("id", "=", id).returning("email").executeTakeFirst();
