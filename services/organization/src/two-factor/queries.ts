import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Returns when an organization began, or begins, to require a second factor. Null if it does not, or there is none. */
export const findSecondFactorFrom = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<Date | null> => {
  const found = await db
    .selectFrom("organization")
    .select("secondFactorFrom")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return found?.secondFactorFrom ?? null;
};

export const updateSecondFactorFrom = async (
  trx: Transaction<Tables>,
  organizationId: string,
  secondFactorFrom: Date | null,
): Promise<void> => {
  await trx
    .updateTable("organization")
    .set({ secondFactorFrom })
    .where("id", "=", organizationId)
    .execute();
};
