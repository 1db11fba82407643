import {
  askedOwner,
  equalsLead,
  type ListCondition,
  looseScan,
  type OwnerQuery,
  qualified,
  type ScopedList,
  selectColumns,
} from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";
import { type MemberRow, memberSelection } from "../../members/queries.ts";

/** The filters of a list of members for admins. */
export interface MemberFilter {
  organizationId: string;
  /** A role that the member has, possibly among others. */
  role?: string | undefined;
  teamId?: string | undefined;
}

const member = sql.id(schema, "member");

/** Matches members with a role. Reads them by the distinct role texts that contain it, each by an index in the list's order. */
const hasRole = ({ organizationId, role }: MemberFilter): ListCondition => {
  const present = looseScan({
    table: member,
    fixed: [[sql`organization_id`, sql`${organizationId}::text`]],
    columns: [sql`role`],
  });
  return {
    sql: sql`${role} = any(string_to_array(role, ','))`,
    lead: {
      columns: [sql`role`],
      values: sql`
        select held.value0 from (${present}) as held
        where ${role} = any(string_to_array(held.value0, ','))`,
    },
  };
};

const organizationById: OwnerQuery<{ organizationId: string }> = ({ organizationId }) =>
  sql`select id from ${sql.id(schema, "organization")} where id = ${organizationId}`;

/** The members of any organization, in the order of joining by default. */
export const adminMemberList: ScopedList<MemberRow, MemberFilter> = {
  schema,
  table: "member",
  select: selectColumns(qualified("member", memberSelection)),
  ownerColumn: sql.ref("organizationId"),
  ownerOf: ({ organizationId }) => askedOwner(organizationById, { organizationId }),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "asc" },
  where: (filter) => [
    filter.teamId && equalsLead(sql`team_id`, sql`${filter.teamId}::text`),
    filter.role && hasRole(filter),
  ],
};

/** Returns up to `limit` members of an organization, in no order. */
export const listFirst = async (
  db: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .limit(limit)
    .execute();
