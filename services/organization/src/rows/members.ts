import type { AdditionalValues, Member } from "@latchkey/contracts";
import {
  compileTogether,
  deleteRowsBefore,
  namesOf,
  picker,
  type RowOf,
  type Slots,
  withoutColumns,
} from "@latchkey/service-kit/database";
import { mergeFields } from "@latchkey/service-kit/fields";
import {
  type Expression,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from "kysely";
import { type BannedUserTable, memberColumns, schema, type Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";

export type MemberRow = RowOf<typeof memberColumns>;

export const memberSelection = namesOf(memberColumns);

/** A deleted user, with their former address if it is known. */
export interface DeletedUser {
  userId: string;
  email: string | undefined;
  deletedAt: Date;
}

/** Whether a user, named by a column, is deleted or banned. */
export const isBarred = (userId: Expression<string>, now: Date) => sql<boolean>`(
  exists (select from ${sql.id(schema, "departed_user")} as departed where departed.user_id = ${userId})
  or exists (
    select from ${sql.id(schema, "banned_user")} as ban
    where ban.user_id = ${userId} and ban.banned and (ban.banned_until is null or ban.banned_until > ${now})
  ))`;

/** A user and an organization. */
export interface Membership {
  organizationId: string;
  userId: string;
}

/** Returns the membership of a user in an organization. */
export const findMembership = compileTogether(
  { organizationId: "text", userId: "text" },
  (db: Kysely<Tables>, { organizationId, userId }: Slots<Membership>) =>
    db
      .selectFrom("member")
      .select(memberSelection)
      .where("organizationId", "=", organizationId)
      .where("userId", "=", userId),
).first;

/** Returns the membership of a user who is neither deleted nor banned. */
export const findActingMember = (
  db: Kysely<Tables>,
  { organizationId, userId, now }: { organizationId: string; userId: string; now: Date },
): Promise<MemberRow | undefined> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .where("userId", "=", userId)
    .where((eb) => eb.not(isBarred(eb.ref("member.userId"), now)))
    .executeTakeFirst();

/** Returns the memberships of some users in an organization, in no order. */
export const listMembershipsOfUsers = (
  db: Kysely<Tables>,
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute();

/** Returns a membership of an organization by its id, or undefined for one of another organization. */
export const findMemberById = (
  db: Kysely<Tables>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<MemberRow | undefined> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Counts the members of an organization. */
export const countMembers = async (db: Kysely<Tables>, organizationId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organizationId", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Counts the organizations of a user. */
export const countMemberships = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Returns whether another member than the given one has a role in an organization. */
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

/** Returns the owners of an organization, in the order of joining. */
export const listOwners = (
  db: Kysely<Tables>,
  { organizationId, creatorRole }: { organizationId: string; creatorRole: string },
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .where(sql<boolean>`${creatorRole} = any(string_to_array(role, ','))`)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

/** Returns the user ids of an organization's owners. */
export const listOwnerIds = async (
  db: Kysely<Tables>,
  organization: { organizationId: string; creatorRole: string },
): Promise<string[]> => (await listOwners(db, organization)).map(({ userId }) => userId);

/** Makes a user a member. Returns false if they already are one. */
export const insertMember = async (db: Kysely<Tables>, member: MemberRow): Promise<boolean> => {
  const inserted = await db
    .insertInto("member")
    .values({ ...member, extra: JSON.stringify(member.extra) })
    .onConflict((conflict) => conflict.columns(["organizationId", "userId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Ends a membership. Returns undefined if there is none. */
export const deleteMember = (
  db: Kysely<Tables>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<MemberRow | undefined> =>
  db
    .deleteFrom("member")
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .returning(memberSelection)
    .executeTakeFirst();

/** Sets a member's roles. Returns undefined if there is no such member. */
export const updateRole = (
  db: Kysely<Tables>,
  { organizationId, id, role }: { organizationId: string; id: string; role: string },
): Promise<MemberRow | undefined> =>
  db
    .updateTable("member")
    .set({ role })
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .returning(memberSelection)
    .executeTakeFirst();

/** Changes additional fields of a member. */
export const updateMemberFields = (
  db: Kysely<Tables>,
  { id, extra }: Pick<MemberRow, "extra" | "id">,
): Promise<MemberRow> =>
  db
    .updateTable("member")
    .set({ extra: mergeFields(extra) })
    .where("id", "=", id)
    .returning(memberSelection)
    .executeTakeFirstOrThrow();

/** Locks a user's memberships until the transaction ends. Must be taken before any organization's lock, so that the two never deadlock. */
export const lockMemberships = async (trx: Transaction<Tables>, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`member:${userId}`}, 0))`.execute(trx);
};

/**
 * Returns organizations in which a deleted user still has rows. These are up to `limit` by a membership, by a pending invitation that they
 * sent, and by one to their address from before the deletion. Empty if no rows remain.
 */
export const listOrganizationsOfDeleted = async (
  db: Kysely<Tables>,
  { userId, email, deletedAt }: DeletedUser,
  limit: number,
): Promise<string[]> => {
  const joined = db.selectFrom("member").select("organizationId").where("userId", "=", userId);
  const invited = db.selectFrom("invitation").select("organizationId");
  const received = invited.where("email", "=", email ?? "").where("createdAt", "<=", deletedAt);
  const upToLimit = <From extends keyof Tables>(
    found: SelectQueryBuilder<Tables, From, { organizationId: string }>,
  ) => db.selectFrom(found.limit(limit).as("found")).select("found.organizationId");
  const rows = await upToLimit(joined)
    .union(upToLimit(invited.where("inviterId", "=", userId)))
    .$if(email !== undefined, (part) => part.union(upToLimit(received)))
    .execute();
  return rows.map(({ organizationId }) => organizationId);
};

/** Returns whether a user was recently deleted. */
export const hasDeparted = async (db: Kysely<Tables>, userId: string): Promise<boolean> => {
  const departed = await db
    .selectFrom("departedUser")
    .select("userId")
    .where("userId", "=", userId)
    .executeTakeFirst();
  return departed !== undefined;
};

/** Records a ban, unless a newer revision is stored. */
export const upsertBan = async (
  db: Kysely<Tables>,
  ban: Selectable<BannedUserTable>,
): Promise<void> => {
  await db
    .insertInto("bannedUser")
    .values(ban)
    .onConflict((conflict) =>
      conflict
        .column("userId")
        .doUpdateSet((eb) => ({
          revision: eb.ref("excluded.revision"),
          banned: eb.ref("excluded.banned"),
          bannedUntil: eb.ref("excluded.bannedUntil"),
        }))
        .whereRef("bannedUser.revision", "<", "excluded.revision"),
    )
    .execute();
};

/** Records that a user was deleted. */
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

/** Deletes up to `limit` records of users deleted before a moment. Returns how many it deleted. */
export const deleteDeparted = (db: Kysely<Tables>, before: Date, limit: number): Promise<number> =>
  deleteRowsBefore(db, "departedUser", { key: ["userId"], column: "departedAt", before, limit });

const pickWithTeam = picker<Member>(namesOf(withoutColumns(memberColumns, "extra")));
const pickWithoutTeam = picker<Member>(namesOf(withoutColumns(memberColumns, "extra", "teamId")));

const pick = ({ config: { organization } }: Pick<Deps, "config">, row: MemberRow): Member =>
  organization.teams.enabled ? pickWithTeam(row) : pickWithoutTeam(row);

/** Returns a membership for replies. Includes the team only if teams are enabled. */
export const showMember = (deps: Pick<Deps, "config" | "fields">, row: MemberRow): Member =>
  deps.fields.member.addTo(pick(deps, row), row.extra);

/** Returns a membership with every additional field, as functions of the options get it. */
export const wholeMember = (
  deps: Pick<Deps, "config">,
  row: MemberRow,
): AdditionalValues & Member => ({ ...row.extra, ...pick(deps, row) });
