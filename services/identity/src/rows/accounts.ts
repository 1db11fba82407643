import { compileTogether, namesOf, type RowOf, type Slots } from "@latchkey/service-kit/database";
import type { ClaimedMethod } from "@latchkey/contracts";
import { type Insertable, type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import {
  type AccountTable,
  accountTokenColumns,
  shownAccountColumns,
  type Tables,
  tokenAccountColumns,
} from "../db/tables.ts";

/** The columns of an account that are secret or describe secrets, present or awaited. */
export type SecretColumns = Partial<
  Pick<Insertable<AccountTable>, "invitedAt" | "password" | keyof typeof accountTokenColumns>
>;

/** An account without its secrets. */
export type AccountEntry = RowOf<typeof entryColumns> & {
  /** Whether a sign-in showed that the password is known from leaks. */
  compromised: boolean;
};

/** An account with its provider tokens in stored form. */
export type TokenAccount = RowOf<typeof tokenAccountColumns>;

const { scope } = accountTokenColumns;
const entryColumns = { ...shownAccountColumns, scope };
const tokenAccountSelection = namesOf(tokenAccountColumns);

/** Returns up to `limit` accounts of a user, oldest first. */
export const listAccountRows = compileTogether(
  { userId: "text" },
  (db: Kysely<Tables>, { userId, limit }: Slots<{ userId: string; limit: number }>) =>
    db
      .selectFrom("account")
      .select(namesOf(entryColumns))
      .select((eb) => eb("compromisedAt", "is not", null).as("compromised"))
      .where("userId", "=", userId)
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
).rows;

/** Counts the accounts by which a user can sign in. A `credential` account without a password does not count. */
export const countAccounts = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("account")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where((eb) => eb.or([eb("providerId", "<>", "credential"), eb("password", "is not", null)]))
    .executeTakeFirstOrThrow();
  return count;
};

/** Identifies one of a user's accounts, as clients name it. */
export interface NamedAccount {
  userId: string;
  /** Undefined matches any provider. */
  providerId?: string | undefined;
  /** The account's own id or its id at the provider. Undefined matches any account. */
  accountId?: string | undefined;
}

/** Returns the account that a client names. Without its provider, only its own id is unambiguous. */
export const findClientsAccount = async (
  db: Kysely<Tables>,
  { providerId, ...named }: NamedAccount,
): Promise<TokenAccount | undefined> => {
  const account = await findNamedAccount(db, { providerId, ...named });
  return providerId !== undefined || account?.id === named.accountId ? account : undefined;
};

/** A match by own id takes precedence over a match by id at the provider. Among several matches, the oldest wins. */
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
  selectNamed(db, named).select(tokenAccountSelection).executeTakeFirst();

/** Deletes the named account of a user. Returns undefined if there is none. */
export const deleteNamedAccount = (
  db: Kysely<Tables>,
  named: NamedAccount,
): Promise<TokenAccount | undefined> =>
  db
    .deleteFrom("account")
    .where("id", "=", selectNamed(db, named).select("id"))
    .returning(tokenAccountSelection)
    .executeTakeFirst();

/**
 * Deletes an account of a user at a provider, by its own id. Never deletes the `credential` account. Returns undefined if there is no
 * such account.
 */
export const deleteProviderAccount = (
  db: Kysely<Tables>,
  { userId, id }: { userId: string; id: string },
): Promise<TokenAccount | undefined> =>
  db
    .deleteFrom("account")
    .where("userId", "=", userId)
    .where("id", "=", id)
    .where("providerId", "!=", "credential")
    .returning(tokenAccountSelection)
    .executeTakeFirst();

/** Returns the id and the user of an account at a provider, or undefined if no user has linked it. */
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

/**
 * Inserts an account at a provider unless it is linked already. Returns true for exactly one of several concurrent calls.
 */
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

/**
 * Deletes a user's accounts except `kept`. `sparesProvisioned` also keeps provisioned accounts. `since` keeps those created earlier.
 * Returns the deleted rows.
 */
export const deleteAccounts = (
  db: Kysely<Tables>,
  {
    userId,
    kept,
    sparesProvisioned = false,
    since,
  }: { userId: string; kept?: string | undefined; sparesProvisioned?: boolean; since?: Date },
): Promise<TokenAccount[]> =>
  db
    .deleteFrom("account")
    .where("userId", "=", userId)
    .$if(kept !== undefined, (query) => query.where("id", "!=", kept ?? ""))
    .$if(sparesProvisioned, (query) => query.where("provisioned", "=", false))
    .$if(since !== undefined, (query) => query.where("createdAt", ">=", since ?? new Date(0)))
    .returning(tokenAccountSelection)
    .execute();

/**
 * Lets the next claim end all accounts of a user. A new address makes it necessary: otherwise its owner would share the user
 * with the holder of the former one.
 */
export const clearProvisioned = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db
    .updateTable("account")
    .set({ provisioned: false })
    .where("userId", "=", userId)
    .where("provisioned", "=", true)
    .execute();
};

/** Returns the kinds of sign-in methods that a claim of the user deletes, which spares the account `kept`. */
export const listClaimedMethods = async (
  db: Kysely<Tables>,
  { userId, kept = "" }: { userId: string; kept?: string | undefined },
): Promise<ClaimedMethod[]> => {
  const table = (name: string) => sql.id(schema, name);
  const account = sql`select from ${table("account")} where user_id = ${userId} and not provisioned and id <> ${kept}`;
  const { rows } = await sql<{ methods: ClaimedMethod[] }>`
    select array_remove(array[
      case when exists (${account} and provider_id = 'credential' and password is not null) then 'password' end,
      case when exists (${account} and provider_id <> 'credential') then 'accounts' end,
      case when exists (select from ${table("passkey")} where user_id = ${userId}) then 'passkeys' end,
      case when exists (select from ${table("two_factor")} where user_id = ${userId}
          and (secret_sealed is not null or enabled_at is not null))
        then 'secondFactor' end,
      case when exists (select from ${table("user")} where id = ${userId} and phone_number is not null)
        then 'phoneNumber' end], null) as methods`.execute(db);
  return rows[0]?.methods ?? [];
};

/** Writes the tokens of a sign-in and adds its scopes to the stored ones. Returns false if the account was deleted. */
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
 * Writes the tokens that a provider returned for the stored refresh token `tried`. Returns false if the account was
 * deleted, or if another refresh token is stored because of a concurrent sign-in. A token that was cleared after a
 * refusal does not count as another one.
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

/** Clears the stored refresh token if it still equals `tried`. */
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

/** Acquires the refresh lease of an account until `expiresAt`. Returns false while another holder has it. */
export const takeTokenRefresh = async (
  db: Kysely<Tables>,
  { now, ...lease }: { accountId: string; holder: string; expiresAt: Date; now: Date },
): Promise<boolean> => {
  const { holder, expiresAt } = lease;
  const leaseRow = await db
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
  return leaseRow !== undefined;
};

/** Releases the lease if this holder still has it. */
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
