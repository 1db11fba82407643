import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { AccountTable, Tables } from "../db/tables.ts";
import type { RestingTokens } from "./account-tokens.ts";
import type { SecretColumns } from "./secret-columns.ts";

/** An account without its secrets. */
export type AccountEntry = Pick<
  Selectable<AccountTable>,
  "id" | "providerId" | "accountId" | "scope" | "createdAt" | "updatedAt"
>;

/** An account with the tokens that its provider gave, as they rest. */
export type TokenAccount = RestingTokens &
  Pick<Selectable<AccountTable>, "id" | "userId" | "providerId" | "accountId">;

const tokenAccountColumns = [
  "id",
  "userId",
  "providerId",
  "accountId",
  "accessToken",
  "refreshToken",
  "idToken",
  "accessTokenExpiresAt",
  "refreshTokenExpiresAt",
  "scope",
] as const;

/** Accounts of a user, oldest first, `limit` at most. */
export const listAccountRows = (
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<AccountEntry[]> =>
  db
    .selectFrom("account")
    .select(["id", "providerId", "accountId", "scope", "createdAt", "updatedAt"])
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

/** One of a user's accounts, as clients name it. */
export interface NamedAccount {
  userId: string;
  /** Undefined for any. */
  providerId?: string | undefined;
  /** The account's own id, or that at the provider; undefined for any. */
  accountId?: string | undefined;
}

/** The account itself goes before one that is called so by its provider; of several the oldest. */
const selectNamed = (db: Kysely<Tables>, { userId, providerId, accountId }: NamedAccount) =>
  db
    .selectFrom("account")
    .where("userId", "=", userId)
    .$if(providerId !== undefined, (query) => query.where("providerId", "=", providerId ?? ""))
    .$if(accountId !== undefined, (query) =>
      query
        .where((eb) =>
          eb.or([eb("id", "=", accountId ?? ""), eb("accountId", "=", accountId ?? "")]),
        )
        .orderBy((eb) => eb("id", "=", accountId ?? ""), "desc"),
    )
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1);

export const findNamedAccount = (
  db: Kysely<Tables>,
  named: NamedAccount,
): Promise<TokenAccount | undefined> =>
  selectNamed(db, named).select(tokenAccountColumns).executeTakeFirst();

/** Deletes the account of a user that is named; undefined when there is none. */
export const deleteNamedAccount = (
  db: Kysely<Tables>,
  named: NamedAccount,
): Promise<TokenAccount | undefined> =>
  db
    .deleteFrom("account")
    .where("id", "=", selectNamed(db, named).select("id"))
    .returning(tokenAccountColumns)
    .executeTakeFirst();

/** Who an account at a provider belongs to, and its own id; undefined when nobody has linked it. */
export const findAccountOwner = (
  db: Kysely<Tables>,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<{ id: string; userId: string } | undefined> =>
  db
    .selectFrom("account")
    .select(["id", "userId"])
    .where("providerId", "=", providerId)
    .where("accountId", "=", accountId)
    .executeTakeFirst();

/** Inserts an account at a provider unless somebody has it; one of many at once is told true. */
export const insertLinkedAccount = async (
  db: Kysely<Tables>,
  account: Insertable<AccountTable>,
): Promise<boolean> => {
  const inserted = await db
    .insertInto("account")
    .values(account)
    .onConflict((conflict) => conflict.columns(["providerId", "accountId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Deletes every account of a user, or every one but that which is `kept`; gives them as they rested. */
export const deleteAccounts = (
  db: Kysely<Tables>,
  { userId, kept }: { userId: string; kept?: string },
): Promise<TokenAccount[]> =>
  db
    .deleteFrom("account")
    .where("userId", "=", userId)
    .$if(kept !== undefined, (query) => query.where("id", "!=", kept ?? ""))
    .returning(tokenAccountColumns)
    .execute();

/** Writes what a sign-in has brought for an account, and adds scopes to those that it has; false when it is gone. */
export const updateGivenTokens = async (
  db: Kysely<Tables>,
  given: { id: string; secrets: SecretColumns; scopes: readonly string[]; now: Date },
): Promise<boolean> => {
  const { id, secrets, scopes, now } = given;
  const scope = sql<string>`(
    select coalesce(string_agg(name, ',' order by place), '')
    from (
      select name, min(place) as place
      from unnest(string_to_array(scope, ',') || ${scopes}::text[]) with ordinality as one (name, place)
      where name <> ''
      group by name
    ) as each
  )`;
  const { numUpdatedRows } = await db
    .updateTable("account")
    .set({ ...secrets, ...(scopes.length === 0 ? {} : { scope }), updatedAt: now })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Writes what a provider gave for the refresh token that rests as `tried`. False where another rests by now, because
 * somebody signed in meanwhile, and when the account is gone. One that was cleared for being refused is no other.
 */
export const updateRefreshedTokens = async (
  db: Kysely<Tables>,
  { id, tried, secrets, now }: { id: string; tried: string; secrets: SecretColumns; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("account")
    .set({ ...secrets, updatedAt: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("refreshToken", "=", tried), eb("refreshToken", "is", null)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Forgets the refresh token that rests as `tried`, unless another rests by now. */
export const clearRefreshToken = async (
  db: Kysely<Tables>,
  { id, tried, now }: { id: string; tried: string; now: Date },
): Promise<void> => {
  await db
    .updateTable("account")
    .set({ refreshToken: null, refreshTokenExpiresAt: null, updatedAt: now })
    .where("id", "=", id)
    .where("refreshToken", "=", tried)
    .execute();
};

/** Makes one of many the holder of an account's refresh until `expiresAt`; false while the time of another lasts. */
export const takeTokenRefresh = async (
  db: Kysely<Tables>,
  { now, ...lease }: { accountId: string; holder: string; expiresAt: Date; now: Date },
): Promise<boolean> => {
  const { holder, expiresAt } = lease;
  const taken = await db
    .insertInto("tokenRefresh")
    .values(lease)
    .onConflict((conflict) =>
      conflict
        .column("accountId")
        .doUpdateSet({ holder, expiresAt })
        .where("tokenRefresh.expiresAt", "<", now),
    )
    .returning("holder")
    .executeTakeFirst();
  return taken !== undefined;
};

/** Ends the time of a holder, should it not be another's by now. */
export const deleteTokenRefresh = async (
  db: Kysely<Tables>,
  { accountId, holder }: { accountId: string; holder: string },
): Promise<void> => {
  await db
    .deleteFrom("tokenRefresh")
    .where("accountId", "=", accountId)
    .where("holder", "=", holder)
    .execute();
};
