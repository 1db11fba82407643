import type { OrganizationRole, Permissions } from "@latchkey/contracts";
import { compileTogether, namesOf, type RowOf, type Slots } from "@latchkey/service-kit/database";
import { type Kysely, sql, type Transaction } from "kysely";
import { organizationRoleColumns, schema, type Tables } from "../db/tables.ts";

export type RoleRow = RowOf<typeof organizationRoleColumns>;

const selection = namesOf(organizationRoleColumns);

/** Returns the permissions of a stored role. */
export const permissionOf = ({ permission }: Pick<RoleRow, "permission">): Permissions =>
  JSON.parse(permission) as Permissions; // written by this service alone

/** Returns those of an organization's own roles that a list of names, separated by commas, contains. */
export const listRolesNamed = compileTogether(
  { organizationId: "text", names: "text" },
  (
    db: Kysely<Tables>,
    { organizationId, names }: Slots<{ organizationId: string; names: string }>,
  ) =>
    db
      .selectFrom("organizationRole")
      .select(["role", "permission"])
      .where("organizationId", "=", organizationId)
      .where(sql<boolean>`role = any(string_to_array(${names}, ','))`)
      .orderBy("role"),
).rows;

/** Returns the roles that an organization made itself, oldest first. */
export const listRoleRows = (db: Kysely<Tables>, organizationId: string): Promise<RoleRow[]> =>
  db
    .selectFrom("organizationRole")
    .select(selection)
    .where("organizationId", "=", organizationId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

/** A role of an organization, by its id or its name. */
export type WhichRole = { organizationId: string } & ({ id: string } | { role: string });

/** Returns a role of an organization, or undefined for one of another organization. */
export const findRole = (
  db: Kysely<Tables>,
  { organizationId, ...which }: WhichRole,
): Promise<RoleRow | undefined> =>
  db
    .selectFrom("organizationRole")
    .select(selection)
    .where("organizationId", "=", organizationId)
    .where((eb) => ("id" in which ? eb("id", "=", which.id) : eb("role", "=", which.role)))
    .executeTakeFirst();

/** Counts the roles that an organization made itself. */
export const countRoles = async (db: Kysely<Tables>, organizationId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("organizationRole")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organizationId", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Inserts a role. Returns false if the organization has one of this name. */
export const insertRole = async (db: Kysely<Tables>, row: RoleRow): Promise<boolean> => {
  const inserted = await db
    .insertInto("organizationRole")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organizationId", "role"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Rejects with a unique violation if the new name is taken. */
export const updateRoleRow = (
  db: Kysely<Tables>,
  id: string,
  change: Pick<RoleRow, "permission" | "role" | "updatedAt">,
): Promise<RoleRow> =>
  db
    .updateTable("organizationRole")
    .set(change)
    .where("id", "=", id)
    .returning(selection)
    .executeTakeFirstOrThrow();

export const deleteRoleRow = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await db.deleteFrom("organizationRole").where("id", "=", id).execute();
};

/** Gives the members and the pending invitations that have a role its new name. */
export const renameHeldRole = async (
  trx: Transaction<Tables>,
  { organizationId, from, to }: { organizationId: string; from: string; to: string },
): Promise<void> => {
  const renamed = (table: "invitation" | "member") => sql`
    update ${sql.id(schema, table)}
    set role = array_to_string(array_replace(string_to_array(role, ','), ${from}, ${to}), ',')
    where organization_id = ${organizationId} and ${from} = any(string_to_array(role, ','))`;
  await renamed("member").execute(trx);
  await sql`${renamed("invitation")} and status = 'pending'`.execute(trx);
};

/** Returns the users who have a role that an organization made itself. */
export const listRoleHolders = async (
  db: Kysely<Tables>,
  { organizationId, roleId }: { organizationId: string; roleId: string },
): Promise<string[]> => {
  const rows = await db
    .selectFrom("member")
    .innerJoin("organizationRole", "organizationRole.organizationId", "member.organizationId")
    .select("member.userId")
    .where("organizationRole.id", "=", roleId)
    .where("member.organizationId", "=", organizationId)
    .where(sql<boolean>`organization_role.role = any(string_to_array(member.role, ','))`)
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Returns whether a member, or an invitation that may still be accepted, has a role. */
export const isRoleHeld = async (
  trx: Transaction<Tables>,
  { organizationId, role, now }: { organizationId: string; role: string; now: Date },
): Promise<boolean> => {
  const { rows } = await sql<{ isHeld: boolean }>`
    select exists (
      select from ${sql.id(schema, "member")}
      where organization_id = ${organizationId} and ${role} = any(string_to_array(role, ','))
    ) or exists (
      select from ${sql.id(schema, "invitation")}
      where organization_id = ${organizationId} and status = 'pending' and expires_at > ${now}
        and ${role} = any(string_to_array(role, ','))
    ) as is_held`.execute(trx);
  return rows[0]?.isHeld === true;
};

/** Returns a role for replies, with its permissions as an object. */
export const showRole = (row: RoleRow): OrganizationRole => {
  const permission = Object.fromEntries(
    Object.entries(permissionOf(row)).map(([resource, actions]) => [resource, [...actions]]),
  );
  return { ...row, permission };
};
