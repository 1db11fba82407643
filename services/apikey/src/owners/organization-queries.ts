import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type DeletedKey, isEndedKeyOf, type KeysEnd } from "./queries.ts";

/** Records that an organization was deleted, and when the first event of that arrived. */
export const upsertDepartedOrganization = async (
  db: Kysely<Tables>,
  organizationId: string,
  departedAt: Date,
): Promise<void> => {
  await db
    .insertInto("departedOrganization")
    .values({ organizationId, departedAt })
    .onConflict((conflict) => conflict.column("organizationId").doNothing())
    .execute();
};

/** Returns whether an organization was recently deleted. */
export const hasOrganizationDeparted = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<boolean> => {
  const departed = await db
    .selectFrom("departedOrganization")
    .select("organizationId")
    .where("organizationId", "=", organizationId)
    .executeTakeFirst();
  return departed !== undefined;
};

/** Returns up to `limit` organizations that were deleted before a moment, the earliest first. */
export const listDepartedOrganizations = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("departedOrganization")
    .select("organizationId")
    .where("departedAt", "<", before)
    .orderBy("departedAt")
    .limit(limit)
    .execute();
  return rows.map(({ organizationId }) => organizationId);
};

export const deleteDepartedOrganizations = async (
  db: Kysely<Tables>,
  organizationIds: readonly string[],
): Promise<void> => {
  await db
    .deleteFrom("departedOrganization")
    .where("organizationId", "=", (eb) => eb.fn.any(eb.val(organizationIds)))
    .execute();
};

/** Selects keys of organizations by the user who created them. */
interface CreatedKeys {
  userId: string;
  end: KeysEnd;
  limit: number;
}

/** Deletes some keys of organizations that a user created, the oldest first. Fewer than `limit` mean that none is left. */
export const deleteCreatedKeys = (
  db: Kysely<Tables>,
  { userId, end, limit }: CreatedKeys,
): Promise<DeletedKey[]> =>
  db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where(isEndedKeyOf("createdBy", userId, end))
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
