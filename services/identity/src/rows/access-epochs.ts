import { type Kysely, sql } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Ends all grants of other applications to a user, each of which names an epoch. */
export const raiseAccessEpoch = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db
    .insertInto("accessEpoch")
    .columns(["userId", "epoch"])
    .expression((eb) =>
      eb
        .selectFrom("user")
        .select(["id", sql<number>`1`.as("epoch")])
        .where("id", "=", userId),
    )
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({ epoch: sql`access_epoch.epoch + 1` }),
    )
    .execute();
};

export const findAccessEpoch = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const row = await db
    .selectFrom("accessEpoch")
    .select("epoch")
    .where("userId", "=", userId)
    .executeTakeFirst();
  return row?.epoch ?? 0;
};
