import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { resetPasswordToken } from "../one-time-tokens/single-use-token.ts";

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
        .where("verification.identifier", "like", `${resetPasswordToken.prefix}%`)
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
