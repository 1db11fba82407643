import { askedOwner, type OwnerQuery, type ScopedList, selectColumns } from "@latchkey/service-kit";
import { sql } from "kysely";
import { schema } from "../../db/schema.ts";
import { type OrganizationRow, qualifiedOrganization } from "../../organizations/queries.ts";

/** An organization with the user's membership. */
export type JoinedOrganization = OrganizationRow & {
  memberId: string;
  role: string;
  joinedAt: Date;
};

const anyUser: OwnerQuery<{ userId: string }> = ({ userId }) => sql`select ${userId}::text`;

/** The organizations of a user, in the order of joining by default. */
export const joinedList: ScopedList<JoinedOrganization, { userId: string }> = {
  schema,
  table: "member",
  select: sql<JoinedOrganization>`
    ${selectColumns(qualifiedOrganization)},
    member.id as member_id, member.role, member.created_at as joined_at`,
  join: sql`
    left join ${sql.id(schema, "organization")} as organization
    on organization.id = member.organization_id`,
  ownerColumn: sql.ref("userId"),
  ownerOf: ({ userId }) => askedOwner(anyUser, { userId }),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "asc" },
  where: () => [],
};
