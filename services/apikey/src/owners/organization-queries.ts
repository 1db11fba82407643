import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

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

/** Forgets who created keys of organizations, which stay valid. */
export const clearCreator = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db.updateTable("apiKey").set({ createdBy: null }).where("createdBy", "=", userId).execute();
};
