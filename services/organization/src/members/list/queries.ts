import {
  askedOwner,
  containsText,
  type ListCondition,
  type OwnerQuery,
  qualified,
  type ResolvedSession,
  type ScopedList,
  selectColumns,
} from "@latchkey/service-kit";
import { sql } from "kysely";
import { schema } from "../../db/schema.ts";
import { type MemberRow, memberSelection } from "../queries.ts";
import { type MemberListQuery, readMemberFilter } from "./read-member-filter.ts";
import { readScope, type Scope } from "./read-scope.ts";

const comparisons = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** Comparisons treat null as a distinct value. `contains` ignores case. */
const conditionOf = (query: MemberListQuery): ListCondition | undefined => {
  const filter = readMemberFilter(query);
  if (!filter) return undefined;
  const { field, operator, value } = filter;
  const stored = sql.ref(field);
  if (operator === "ne") return { sql: sql`${stored} is distinct from ${value}` };
  if (operator === "contains") return { sql: containsText(sql`lower(${stored})`, String(value)) };
  return { sql: sql`${stored} ${sql.raw(comparisons[operator])} ${value}` };
};

type Owner<Name extends string> = OwnerQuery<Record<Name | "userId" | "refusedUntil", string>>;

/** Selects the organization if the caller may act in it. */
const own = ({ userId, refusedUntil }: Parameters<Owner<never>>[0]) => sql`
  select own.organization_id
  from ${sql.id(schema, "member")} as own
  join ${sql.id(schema, "organization")} as organization on organization.id = own.organization_id
  where own.user_id = ${userId}
    and coalesce(organization.second_factor_from, 'infinity') > ${refusedUntil}::timestamptz`;

const ownById: Owner<"organizationId"> = ({ organizationId, userId, refusedUntil }) =>
  sql`${own({ userId, refusedUntil })} and own.organization_id = ${organizationId}`;

const ownBySlug: Owner<"slug"> = ({ slug, userId, refusedUntil }) =>
  sql`${own({ userId, refusedUntil })} and organization.slug = ${slug}`;

const ownOrganization = (scope: Scope & { refusedUntil: string }) =>
  "slug" in scope ? askedOwner(ownBySlug, scope) : askedOwner(ownById, scope);

const text = (column: "id" | "role" | "userId") =>
  ({ sql: sql.ref(column), type: "text", isIndexed: false }) as const;

/** The reader of a list of members. */
interface MemberReader {
  session: ResolvedSession;
  /** An organization that has required a second factor since then is not found. */
  refusedUntil: string;
}

/** The members of an organization of the caller, oldest first by default. */
export const memberList: ScopedList<MemberRow, MemberListQuery & MemberReader> = {
  schema,
  table: "member",
  select: selectColumns(qualified("member", memberSelection)),
  ownerColumn: sql.ref("organizationId"),
  ownerOf: ({ session, refusedUntil, ...query }) =>
    ownOrganization({ ...readScope(session, query), refusedUntil }),
  keys: {
    createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true },
    role: text("role"),
    userId: text("userId"),
    id: text("id"),
  },
  order: { by: "createdAt", direction: "asc" },
  where: (query) => [conditionOf(query)],
};
