import type { Kysely, Selectable, Transaction } from "kysely";
import type { OrganizationTable, Tables } from "../db/tables.ts";

export type OrganizationRow = Selectable<OrganizationTable>;

const columns = ["id", "name", "slug", "logo", "metadata", "createdAt"] as const;

export const findOrganizationById = (
  db: Kysely<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  db.selectFrom("organization").select(columns).where("id", "=", id).executeTakeFirst();

/**
 * Locks an organization until the transaction ends, so that what is counted in it stays so; undefined where there is none.
 * Rows that refer to it may be written meanwhile by who does not count.
 */
export const lockOrganizationRow = (
  trx: Transaction<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> =>
  trx
    .selectFrom("organization")
    .select(columns)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The users who are members of an organization. */
export const listMemberIds = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("member")
    .select("userId")
    .where("organizationId", "=", organizationId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Deletes an organization and, by their references, all that is in it; false where there was none. */
export const deleteOrganizationRow = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("organization")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};
