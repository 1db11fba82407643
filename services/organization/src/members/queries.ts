import type { Kysely, Selectable, SelectQueryBuilder, Transaction } from "kysely";
import { sql } from "kysely";
import type { MemberTable, Tables } from "../db/tables.ts";

export type MemberRow = Selectable<MemberTable>;

/** A user who has ceased to exist, with the address that they had, where it is known. */
export interface DeletedUser {
  userId: string;
  email: string | undefined;
  deletedAt: Date;
}

const columns = ["id", "organizationId", "userId", "role", "teamId", "createdAt"] as const;

/** The membership of a user in an organization. */
export const findMembership = (
  db: Kysely<Tables>,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<MemberRow | undefined> =>
  db
    .selectFrom("member")
    .select(columns)
    .where("organizationId", "=", organizationId)
    .where("userId", "=", userId)
    .executeTakeFirst();

/** The memberships that some users have in an organization, in no order. */
export const listMembershipsOfUsers = (
  db: Kysely<Tables>,
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(columns)
    .where("organizationId", "=", organizationId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute();

/** A membership of an organization by its id; one of another organization is none. */
export const findMemberById = (
  db: Kysely<Tables>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<MemberRow | undefined> =>
  db
    .selectFrom("member")
    .select(columns)
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();

/** How many members an organization has. */
export const countMembers = async (db: Kysely<Tables>, organizationId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organizationId", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** How many members a team has. */
export const countTeamMembers = async (db: Kysely<Tables>, teamId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("teamId", "=", teamId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** How many organizations a user is a member of. */
export const countMemberships = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Whether somebody other than a member has a role in an organization. */
export const hasAnotherOwner = async (
  db: Kysely<Tables>,
  {
    organizationId,
    memberId,
    creatorRole,
  }: { organizationId: string; memberId: string; creatorRole: string },
): Promise<boolean> => {
  const other = await db
    .selectFrom("member")
    .select("id")
    .where("organizationId", "=", organizationId)
    .where("id", "!=", memberId)
    .where(sql<boolean>`${creatorRole} = any(string_to_array(role, ','))`)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
};

/** Makes a user a member; false where they are one already. */
export const insertMember = async (db: Kysely<Tables>, member: MemberRow): Promise<boolean> => {
  const inserted = await db
    .insertInto("member")
    .values(member)
    .onConflict((conflict) => conflict.columns(["organizationId", "userId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Ends a membership; undefined where there is none. */
export const deleteMember = (
  db: Kysely<Tables>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<MemberRow | undefined> =>
  db
    .deleteFrom("member")
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();

/** Gives a member other roles; undefined where there is none. */
export const updateRole = (
  db: Kysely<Tables>,
  { organizationId, id, role }: { organizationId: string; id: string; role: string },
): Promise<MemberRow | undefined> =>
  db
    .updateTable("member")
    .set({ role })
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();

/**
 * Waits until nobody else changes the memberships of a user, until the transaction ends. Taken before any organization is
 * locked, so that the two never wait for each other.
 */
export const lockMemberships = async (trx: Transaction<Tables>, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`member:${userId}`}, 0))`.execute(trx);
};

/**
 * Organizations that a user who has ceased to exist left something in: up to `limit` by a membership, by a pending invitation
 * that they sent, and by one to their address from before they went. None where nothing is left.
 */
export const listOrganizationsOfDeleted = async (
  db: Kysely<Tables>,
  { userId, email, deletedAt }: DeletedUser,
  limit: number,
): Promise<string[]> => {
  const joined = db.selectFrom("member").select("organizationId").where("userId", "=", userId);
  const pending = db
    .selectFrom("invitation")
    .select("organizationId")
    .where("status", "=", sql.lit("pending"));
  const received = pending.where("email", "=", email ?? "").where("createdAt", "<=", deletedAt);
  const upToLimit = <From extends keyof Tables>(
    found: SelectQueryBuilder<Tables, From, { organizationId: string }>,
  ) => db.selectFrom(found.limit(limit).as("found")).select("found.organizationId");
  const rows = await upToLimit(joined)
    .union(upToLimit(pending.where("inviterId", "=", userId)))
    .$if(email !== undefined, (part) => part.union(upToLimit(received)))
    .execute();
  return rows.map(({ organizationId }) => organizationId);
};

/** Whether a user has ceased to exist lately. */
export const hasDeparted = async (db: Kysely<Tables>, userId: string): Promise<boolean> => {
  const departed = await db
    .selectFrom("departedUser")
    .select("userId")
    .where("userId", "=", userId)
    .executeTakeFirst();
  return departed !== undefined;
};

/** Remembers that a user has ceased to exist. */
export const insertDeparted = async (
  db: Kysely<Tables>,
  userId: string,
  departedAt: Date,
): Promise<void> => {
  await db
    .insertInto("departedUser")
    .values({ userId, departedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Forgets up to `limit` users who ceased to exist before a moment; gives how many. */
export const deleteDeparted = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("departedUser")
    .where("userId", "in", (eb) =>
      eb
        .selectFrom("departedUser")
        .select("userId")
        .where("departedAt", "<", before)
        .orderBy("departedAt")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
