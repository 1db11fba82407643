import { secretTokens } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";

/** An invitation whose user has not chosen a password. */
export interface OpenInvitation {
  /** The address that the link was mailed to. */
  email: string;
  invitedAt: Date;
  /** When the newest valid link expires. Null if there is none. */
  expiresAt: Date | null;
}

/** Returns the open invitation of a user. */
export const findInvitation = async (
  db: Kysely<Tables>,
  { userId, now }: { userId: string; now: Date },
): Promise<OpenInvitation | undefined> => {
  const row = await db
    .selectFrom("account")
    .innerJoin("user", "user.id", "account.userId")
    .select(["user.email", "account.invitedAt"])
    .select((eb) =>
      eb
        .selectFrom("verification")
        .select((inner) => inner.fn.max("verification.expiresAt").as("expiresAt"))
        .where("verification.value", "=", userId)
        .where("verification.identifier", "like", `${secretTokens.passwordReset.prefix}%`)
        .where("verification.expiresAt", ">", now)
        .as("expiresAt"),
    )
    .where("account.userId", "=", userId)
    .where("account.providerId", "=", "credential")
    .where("account.password", "is", null)
    .where("account.invitedAt", "is not", null)
    .executeTakeFirst();
  if (!row?.invitedAt) return undefined;
  return { email: row.email, invitedAt: row.invitedAt, expiresAt: row.expiresAt };
};

/**
 * Returns whether nobody can have signed in as a user. The open invitation is the only account, and the address is unverified. There is no
 * passkey, no session and no earlier sign-in. The user must be locked. Sessions that are in Redis alone began with one of the others.
 */
export const isUntouchedInvitation = async (
  trx: Kysely<Tables>,
  userId: string,
): Promise<boolean> => {
  const invited = await trx
    .selectFrom("user")
    .innerJoin("account", "account.userId", "user.id")
    .select("user.id")
    .where("user.id", "=", userId)
    .where("user.emailVerified", "=", false)
    .where("account.providerId", "=", "credential")
    .where("account.password", "is", null)
    .where("account.invitedAt", "is not", null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("account as other")
            .select("other.id")
            .whereRef("other.userId", "=", "user.id")
            .whereRef("other.id", "<>", "account.id"),
        ),
      ),
    )
    .where(({ and, exists, not, selectFrom }) =>
      and(
        (["passkey", "session", "lastSignIn"] as const).map((table) =>
          not(
            exists(selectFrom(table).select("userId").whereRef(`${table}.userId`, "=", "user.id")),
          ),
        ),
      ),
    )
    .executeTakeFirst();
  return invited !== undefined;
};

/** Records that an invited user was invited again. Returns false if the user has chosen a password, or was not invited. */
export const updateInvited = async (
  trx: Kysely<Tables>,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> => {
  const updated = await trx
    .updateTable("account")
    .set({ invitedAt: now, updatedAt: now })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "is", null)
    .where("invitedAt", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return updated !== undefined;
};
