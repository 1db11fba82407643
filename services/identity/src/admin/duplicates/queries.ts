import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { schema } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";
import type { UserMergeTable } from "../../db/user-tables.ts";

/** A mailbox without the tag of an address such as `ada+news@example.com`. */
export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** The members by which an admin recognizes a user. */
const shownColumns = ["id", "name", "email", "emailVerified", "createdAt"] as const;

interface OthersLike<By> {
  /** The user who is left out. */
  readonly id: string;
  readonly by: By;
  readonly limit: number;
}

/** Returns up to `limit` other users whose addresses lead to a mailbox, with any tag. The index of addresses finds them. */
export const listByMailbox = (
  db: Kysely<Tables>,
  { id, by: { local, domain }, limit }: OthersLike<Mailbox>,
) => {
  const end = `@${domain}`;
  return (
    db
      .selectFrom("user")
      .select(shownColumns)
      .where("id", "!=", id)
      .where(({ and, eb, or }) =>
        or([
          eb("emailKey", "=", `${local}${end}`),
          and([
            eb("emailKey", ">=", `${local}+`),
            // The comma follows the plus sign.
            eb("emailKey", "<", `${local},`),
            eb(sql`right(email_key, ${sql.lit(end.length)})`, "=", end),
          ]),
        ]),
      )
      // Without an order: the planner might read the whole index of addresses in theirs.
      .limit(limit)
      .execute()
  );
};

/** Returns up to `limit` other users with a name in any case. The index of the beginnings of names finds them. */
export const listByName = (db: Kysely<Tables>, { id, by: name, limit }: OthersLike<string>) =>
  db
    .selectFrom("user")
    .select(shownColumns)
    .where("id", "!=", id)
    // Guests have the same name.
    .where("isAnonymous", "=", false)
    .where("nameKey", "=", sql<string>`left(lower(${name}::text), 100)`)
    .where(sql`lower(name)`, "=", sql`lower(${name}::text)`)
    .orderBy("id")
    .limit(limit)
    .execute();

export type MergeRow = Selectable<UserMergeTable>;

const mergeColumns = [
  "id",
  "userId",
  "mergedUserId",
  "accountIds",
  "passkeyIds",
  "handlePasskeyIds",
  "phoneNumber",
  "mergedAt",
  "undoableUntil",
] as const;

/** Makes all merges and undos wait for each other until the transaction ends, so that no two of them deadlock. */
export const lockMerges = async (trx: Transaction<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('user merges', 0))`.execute(trx);
};

/** Returns whether some users take part in a merge that can be undone. */
export const hasMerge = async (
  db: Kysely<Tables>,
  {
    userIds,
    as = ["userId", "mergedUserId"],
  }: {
    userIds: readonly string[];
    as?: readonly ("mergedUserId" | "userId")[];
  },
): Promise<boolean> => {
  const merge = await db
    .selectFrom("userMerge")
    .select("id")
    .where(({ eb, or }) => or(as.map((column) => eb(column, "in", [...userIds]))))
    .limit(1)
    .executeTakeFirst();
  return merge !== undefined;
};

/**
 * Returns the merges of a user that can be undone at a time, with the address of the merged user, the newest first. One whose other user was
 * deleted cannot.
 */
export const listMerges = (db: Kysely<Tables>, userId: string, now: Date) =>
  db
    .selectFrom("userMerge")
    .innerJoin("user", "user.id", "userMerge.mergedUserId")
    .select([
      "userMerge.id",
      "userMerge.userId",
      "mergedUserId",
      "email as mergedEmail",
      "mergedAt",
      "undoableUntil",
    ])
    .where(({ eb, or }) => or([eb("userId", "=", userId), eb("mergedUserId", "=", userId)]))
    .where("userMerge.userId", "is not", null)
    .where("undoableUntil", ">", now)
    .orderBy("mergedAt", "desc")
    .$narrowType<{ userId: string }>()
    .execute();

export const findMerge = (db: Kysely<Tables>, id: string): Promise<MergeRow | undefined> =>
  db.selectFrom("userMerge").select(mergeColumns).where("id", "=", id).executeTakeFirst();

/** Returns up to `limit` merges that can no longer be undone. */
export const listPassedMerges = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<MergeRow[]> =>
  db
    .selectFrom("userMerge")
    .select(mergeColumns)
    .where("undoableUntil", "<=", now)
    .orderBy("undoableUntil")
    .limit(limit)
    .execute();

export const insertMerge = async (db: Kysely<Tables>, merge: MergeRow): Promise<void> => {
  await db.insertInto("userMerge").values(merge).execute();
};

/** Ends a merge on one side of its deadline. One of several concurrent calls gets true. */
export const deleteMerge = async (
  db: Kysely<Tables>,
  { id, now, isPassed }: { id: string; now: Date; isPassed: boolean },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("userMerge")
    .where("id", "=", id)
    .where("undoableUntil", isPassed ? "<=" : ">", now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Locks a merge that can no longer be undone. Returns false if it ended. */
export const lockPassedMerge = async (
  trx: Transaction<Tables>,
  { id, now }: { id: string; now: Date },
): Promise<boolean> => {
  const merge = await trx
    .selectFrom("userMerge")
    .select("id")
    .where("id", "=", id)
    .where("undoableUntil", "<=", now)
    .forUpdate()
    .executeTakeFirst();
  return merge !== undefined;
};

interface Move {
  from: string;
  to: string;
}

/** The columns are written once by everything else: a merge and its undo alone change the user of an account or a passkey. */
const table = (name: string) => sql.id(schema, name);

/** Moves the accounts at providers. The password stays, because it belongs to an address. Returns the ids of the moved ones. */
export const moveAccounts = async (
  trx: Transaction<Tables>,
  { from, to, ids }: Move & { ids?: readonly string[] },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update ${table("account")} set user_id = ${to}
    where user_id = ${from} and provider_id <> 'credential'
      ${ids ? sql`and id = any(${[...ids]}::text[])` : sql``}
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
};

/**
 * Moves passkeys to another user. Authenticators still name the former user's handle, so it is not compared any more. Returns the moved
 * ones, and whether their handles were compared.
 */
export const movePasskeys = async (
  trx: Transaction<Tables>,
  { from, to }: Move,
): Promise<{ id: string; hasUserHandle: boolean }[]> => {
  const { rows } = await sql<{ id: string; hasUserHandle: boolean }>`
    with moved as (select id, has_user_handle from ${table("passkey")} where user_id = ${from} for update)
    update ${table("passkey")} as passkey set user_id = ${to}, has_user_handle = false
    from moved where moved.id = passkey.id
    returning moved.id, moved.has_user_handle as "hasUserHandle"`.execute(trx);
  return rows;
};

/** Moves passkeys back, and compares the handles again of those that had one. */
export const returnPasskeys = async (
  trx: Transaction<Tables>,
  { from, to, ids, handleIds }: Move & { ids: readonly string[]; handleIds: readonly string[] },
): Promise<void> => {
  await sql`
    update ${table("passkey")}
    set user_id = ${to}, has_user_handle = id = any(${[...handleIds]}::text[])
    where user_id = ${from} and id = any(${[...ids]}::text[])`.execute(trx);
};
