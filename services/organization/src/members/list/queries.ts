import { type OperationInput, type operations, WireError } from "@latchkey/contracts";
import { qualified } from "@latchkey/service-kit/database";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import {
  askedOwner,
  containsText,
  endsWithText,
  type ListCondition,
  type OwnerQuery,
  refuseQuery,
  type ScopedList,
  selectColumns,
  startsWithText,
} from "@latchkey/service-kit/lists";
import { type Kysely, sql } from "kysely";
import { schema, type Tables } from "../../db/tables.ts";
import { organizationOf } from "../../sessions/active-organization.ts";
import { type MemberRow, memberSelection } from "../../rows/members.ts";
import { isInTeams } from "../../rows/team-members.ts";

export type MemberListQuery = OperationInput<typeof operations.organization.listMembers>["query"];

/** A condition on members. Times are compared as times, not as text. */
interface MemberFilter {
  field: NonNullable<MemberListQuery["filterField"]>;
  operator: NonNullable<MemberListQuery["filterOperator"]>;
  /** Several only for `in` and `not_in`. */
  values: readonly (string | Date)[];
}

/** ISO 8601 with a time zone, or a date. The year must be one that Postgres writes the same way. */
const isoTime = /^(?!0000)\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

const readTime = (value: string): Date => {
  const time = new Date(value);
  return isoTime.test(value) && !Number.isNaN(time.getTime())
    ? time
    : refuseQuery("filterValue", "must be a time in ISO 8601");
};

const patterns = {
  contains: containsText,
  starts_with: startsWithText,
  ends_with: endsWithText,
} as const;

const isPattern = (operator: string): operator is keyof typeof patterns =>
  Object.hasOwn(patterns, operator);

/** Reads the filter of a query. Returns undefined if the query lacks a field or a value. Throws `VALIDATION_ERROR`. */
const readMemberFilter = ({
  filterField: field,
  filterOperator: operator = "eq",
  filterValue,
}: MemberListQuery): MemberFilter | undefined => {
  const values = [filterValue ?? []].flat().filter((value) => value !== "");
  if (!field || values.length === 0) return undefined;
  if (values.length > 1 && operator !== "in" && operator !== "not_in")
    refuseQuery("filterValue", "must be one value");
  if (field !== "createdAt") return { field, operator, values };
  if (isPattern(operator)) refuseQuery("filterOperator", "does not compare times");
  return { field, operator, values: values.map(readTime) };
};

/** The caller and the organization, by its id or its slug. */
type Scope = { userId: string } & ({ organizationId: string } | { slug: string });

/** Returns the organization that a query or else the session names. Throws `NO_ACTIVE_ORGANIZATION`. */
const readScope = (
  session: ResolvedSession,
  { organizationId: named, organizationSlug: slug }: MemberListQuery,
): Scope => {
  const userId = session.user.id;
  if (slug) return { userId, slug };
  const organizationId = organizationOf(session, named);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return { userId, organizationId };
};

const comparisons = { lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** Matches members with one of the values. A member has each team that they are in. */
const hasOne = ({ field, values }: MemberFilter) => {
  if (field === "teamId") return isInTeams(values.map(String));
  const type = sql.raw(field === "createdAt" ? "timestamptz" : "text");
  return sql<boolean>`coalesce(${sql.ref(field)} = any(${values}::${type}[]), false)`;
};

/** Comparisons treat null as a distinct value. Patterns ignore case. Comparisons of order and patterns see the first team of a member. */
const conditionOf = (query: MemberListQuery): ListCondition | undefined => {
  const filter = readMemberFilter(query);
  if (!filter) return undefined;
  const { field, operator, values } = filter;
  if (operator === "eq" || operator === "in") return { sql: hasOne(filter) };
  if (operator === "ne" || operator === "not_in") return { sql: sql`not ${hasOne(filter)}` };
  const [stored, [value]] = [sql.ref(field), values];
  return isPattern(operator)
    ? { sql: patterns[operator](sql`lower(${stored})`, String(value)) }
    : { sql: sql`${stored} ${sql.raw(comparisons[operator])} ${value}` };
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
