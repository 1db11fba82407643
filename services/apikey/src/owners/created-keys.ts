import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { OwnerColumns } from "../keys/key-owner.ts";

/** Selects keys of organizations by the user who created them. */
interface CreatedKeys {
  userId: string;
  /** The latest creation time of the keys. */
  createdUntil: Date;
  limit: number;
}

/** Deletes some keys of organizations that a user created, the oldest first. Fewer than `limit` mean that none is left. */
export const deleteCreatedKeys = (
  db: Kysely<Tables>,
  { userId, createdUntil, limit }: CreatedKeys,
): Promise<(OwnerColumns & { id: string })[]> =>
  db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where("createdBy", "=", userId)
        .where("createdAt", "<=", createdUntil)
        .orderBy("createdAt")
        .orderBy("id")
        .limit(limit)
        .forUpdate(),
    )
    .deleteFrom("apiKey")
    .using("chosen")
    .whereRef("apiKey.id", "=", "chosen.id")
    .returning(["apiKey.id", "apiKey.userId", "apiKey.organizationId"])
    .execute();

/** Forgets who created keys of organizations, which stay valid. */
export const clearCreator = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db.updateTable("apiKey").set({ createdBy: null }).where("createdBy", "=", userId).execute();
};
