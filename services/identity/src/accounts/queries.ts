import type { Kysely, Selectable } from "kysely";
import type { AccountTable, Tables } from "../db/tables.ts";

/** An account without its secrets. */
export type AccountEntry = Pick<
  Selectable<AccountTable>,
  "id" | "providerId" | "accountId" | "createdAt" | "updatedAt"
>;

/** Accounts of a user, oldest first, `limit` at most. */
export const listAccountRows = (
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<AccountEntry[]> =>
  db
    .selectFrom("account")
    .select(["id", "providerId", "accountId", "createdAt", "updatedAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit)
    .execute();

export const countAccounts = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("account")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes the oldest account of a user that matches; undefined when none does. */
export const deleteAccount = (
  db: Kysely<Tables>,
  {
    userId,
    providerId,
    accountId,
  }: { userId: string; providerId: string; accountId: string | undefined },
): Promise<Pick<AccountEntry, "id" | "providerId" | "accountId"> | undefined> =>
  db
    .deleteFrom("account")
    .where("id", "=", (eb) =>
      eb
        .selectFrom("account")
        .select("id")
        .where("userId", "=", userId)
        .where("providerId", "=", providerId)
        .$if(accountId !== undefined, (query) => query.where("accountId", "=", accountId ?? ""))
        .orderBy("createdAt")
        .orderBy("id")
        .limit(1),
    )
    .returning(["id", "providerId", "accountId"])
    .executeTakeFirst();
