import { type Kysely, sql } from "kysely";
import type { Tables } from "../db/tables.ts";
import { placeholderEnd } from "../users/email.ts";
import { type UserRow, userSelection } from "../users/user-row.ts";

const dayMilliseconds = 86_400_000;

interface NumberReads {
  db: Kysely<Tables>;
  clock: () => number;
  config: { phoneNumber: { unusedDays: number } };
}

/** Returns the time since which a number must have been used, or else its carrier may have given it to somebody else. */
export const unusedSinceOf = ({ clock, config }: Pick<NumberReads, "clock" | "config">): Date =>
  new Date(clock() - config.phoneNumber.unusedDays * dayMilliseconds);

/**
 * Returns the user whom a number in E.164 signs in: the one who has proven it and has used it lately. A user without an address keeps it
 * longer, because it may be their only way in.
 */
export const findUserByNumber = (
  deps: NumberReads,
  phoneNumber: string,
): Promise<UserRow | undefined> =>
  deps.db
    .selectFrom("user")
    .select(userSelection)
    .where("phoneNumber", "=", phoneNumber)
    .where("phoneNumberVerified", "=", true)
    .where((eb) =>
      eb.or([
        eb("phoneNumberUsedAt", ">=", unusedSinceOf(deps)),
        eb("email", "like", `%${placeholderEnd}`),
      ]),
    )
    .executeTakeFirst();

/** Returns the user who has a number, proven or not. */
export const findNumberOwner = (
  db: Kysely<Tables>,
  phoneNumber: string,
): Promise<{ id: string } | undefined> =>
  db.selectFrom("user").select("id").where("phoneNumber", "=", phoneNumber).executeTakeFirst();

/** Returns whether a user has the number and has proven it. Locks the user until the transaction ends. */
export const lockNumberOf = async (
  trx: Kysely<Tables>,
  { userId, phoneNumber }: { userId: string; phoneNumber: string },
): Promise<boolean> => {
  const row = await trx
    .selectFrom("user")
    .select("id")
    .where("id", "=", userId)
    .where("phoneNumber", "=", phoneNumber)
    .where("phoneNumberVerified", "=", true)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
};

/** Records that a user has used the number. */
export const updateNumberUsed = async (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<void> => {
  await db.updateTable("user").set({ phoneNumberUsedAt: now }).where("id", "=", userId).execute();
};

/** Records that a user has proven the number. */
export const updateNumberProven = async (
  trx: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<void> => {
  await trx
    .updateTable("user")
    .set({ phoneNumberUsedAt: now, phoneNumberProvenAt: now })
    .where("id", "=", userId)
    .execute();
};

/** The other user who has a number, and whether the number goes to a user who proves it. */
export interface NumberHolder extends Pick<
  UserRow,
  "email" | "id" | "name" | "phoneNumberVerified"
> {
  yields: boolean;
}

/**
 * Locks the user who takes a number, and the one who has it, in one order, so that two users who take each other's numbers do not deadlock.
 * Returns the other one, if there is one. The number yields if it is not proven, or was not used since `unusedSince`.
 */
export const lockHolder = async (
  trx: Kysely<Tables>,
  {
    takerId = "",
    phoneNumber,
    unusedSince,
  }: { takerId?: string | undefined; phoneNumber: string; unusedSince: Date },
): Promise<NumberHolder | undefined> => {
  const rows = await trx
    .selectFrom("user")
    .select(["id", "email", "name", "phoneNumberVerified"])
    .select(
      sql<boolean>`(not phone_number_verified or phone_number_used_at < ${unusedSince}::timestamptz)`.as(
        "yields",
      ),
    )
    .where((eb) => eb.or([eb("id", "=", takerId), eb("phoneNumber", "=", phoneNumber)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.find(({ id }) => id !== takerId);
};

/** Removes the number of a locked user. */
export const clearNumber = async (
  trx: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<void> => {
  await trx
    .updateTable("user")
    .set({ phoneNumber: null, phoneNumberVerified: false, updatedAt: now })
    .where("id", "=", userId)
    .execute();
};

/**
 * Moves the proven number of a user to another one who has none, or only the number `only`. Returns it, or null if nothing was moved. Both
 * users must be locked.
 */
export const moveNumber = async (
  trx: Kysely<Tables>,
  { from, to, only, now }: { from: string; to: string; only?: string; now: Date },
): Promise<string | null> => {
  const number = await trx
    .selectFrom("user")
    .select(["phoneNumber", "phoneNumberUsedAt", "phoneNumberProvenAt"])
    .where("id", "=", from)
    .where("phoneNumberVerified", "=", true)
    .$if(only !== undefined, (query) => query.where("phoneNumber", "=", only ?? ""))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("user").select("id").where("id", "=", to).where("phoneNumber", "is", null)),
    )
    .executeTakeFirst();
  if (!number) return null;
  await clearNumber(trx, from, now);
  await trx
    .updateTable("user")
    .set({ ...number, phoneNumberVerified: true, updatedAt: now })
    .where("id", "=", to)
    .execute();
  return number.phoneNumber;
};

/** Removes the number of a locked user if they have proven it since a time. Returns whether they had. */
export const clearNumberSince = async (
  trx: Kysely<Tables>,
  userId: string,
  since: Date,
): Promise<boolean> => {
  const cleared = await trx
    .updateTable("user")
    .set({ phoneNumber: null, phoneNumberVerified: false })
    .where("id", "=", userId)
    .where("phoneNumber", "is not", null)
    .where("phoneNumberProvenAt", ">=", since)
    .returning("id")
    .executeTakeFirst();
  return cleared !== undefined;
};
