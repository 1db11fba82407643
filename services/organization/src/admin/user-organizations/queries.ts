import type { ListPage } from "@latchkey/service-kit";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { type OrganizationRow, qualifiedOrganization } from "../../organizations/queries.ts";

/** Selects memberships of a user by join time. */
export interface MembershipRange {
  userId: string;
  page: ListPage<"createdAt">;
}

/** An organization with the user's membership. */
export interface JoinedOrganization {
  /** The id of the membership. */
  id: string;
  role: string;
  joinedAt: Date;
  organization: OrganizationRow;
}

/** Returns a range of a user's organizations with their memberships, by following the index. */
export const listJoined = async (
  db: Kysely<Tables>,
  { userId, page: { order, after, limit, offset } }: MembershipRange,
): Promise<JoinedOrganization[]> => {
  const further = sql.raw(order.direction === "asc" ? ">" : "<");
  const rows = await db
    .selectFrom("member")
    .innerJoin("organization", "organization.id", "member.organizationId")
    .select(["member.id as memberId", "member.role", "member.createdAt as joinedAt"])
    .select(qualifiedOrganization)
    .where("member.userId", "=", userId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(member.created_at, member.id) ${further} (${after?.key}::timestamptz, ${after?.id})`,
      ),
    )
    .orderBy("member.createdAt", order.direction)
    .orderBy("member.id", order.direction)
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ memberId, role, joinedAt, ...organization }) => ({
    id: memberId,
    role,
    joinedAt,
    organization,
  }));
};

/** Counts the organizations of a user, capped at `countMax`. */
export const countJoined = async (
  db: Kysely<Tables>,
  userId: string,
  countMax: number,
): Promise<number> => {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom("member")
        .select("id")
        .where("userId", "=", userId)
        .limit(countMax)
        .as("joined"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};
