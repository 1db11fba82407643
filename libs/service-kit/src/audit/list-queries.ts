import { sql } from "kysely";
import { equalsLead, looseScan } from "../lists/index-lead.ts";
import { type List, type ListCondition, selectColumns, type Sql } from "../lists/list.ts";

/** Criteria for audit rows. A row must match all of them. */
export interface AuditFilter {
  actorId?: string | undefined;
  subjectId?: string | undefined;
  /** A prefix of the action. */
  action?: string | undefined;
  outcome?: string | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  /** The first included time and the first excluded time. */
  from?: Date | undefined;
  until?: Date | undefined;
}

export interface ListedAudit {
  id: number;
  occurredAt: Date;
  actorKind: string;
  actorId: string | null;
  subjectKind: string;
  subjectId: string;
  action: string;
  outcome: string;
  address: string;
  requestId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  position: number | null;
  hash: Buffer | null;
}

const columns = [
  "id",
  "occurredAt",
  "actorKind",
  "actorId",
  "subjectKind",
  "subjectId",
  "action",
  "outcome",
  "address",
  "requestId",
  "before",
  "after",
] as const;

/** The index columns after the subject, the actor or the address, if any. */
const kind = [sql`action collate "C"`, sql`outcome`] as const;

type Fixed = readonly (readonly [column: Sql, value: Sql])[];

/**
 * Matches rows by a subject, an actor or an address, the beginning of the action, and the outcome. There are few actions and outcomes, so each
 * combination of them is read by an index in the list's order.
 */
const byKind = (
  table: Sql,
  fixed: Fixed,
  { action: prefix = "", outcome }: AuditFilter,
): ListCondition => {
  const present = looseScan({ table, fixed, columns: kind, prefix });
  const equal = fixed.map(([column, value]) => sql`${column} = ${value} and `);
  return {
    sql: sql`${sql.join(equal, sql``)}starts_with(action, ${prefix}) and outcome = coalesce(${outcome}, outcome)`,
    lead: {
      columns: [...fixed.map(([column]) => column), ...kind],
      values: sql`
        select ${sql.join([...fixed.map(([, value]) => value), sql`kind.value0`, sql`kind.value1`])}
        from (${present}) as kind where ${outcome ? sql`kind.value1 = ${outcome}` : sql`true`}`,
    },
  };
};

const duringTime = ({ from, until }: AuditFilter): ListCondition => ({
  sql: sql`occurred_at >= ${from ?? "-infinity"} and occurred_at < ${until ?? "infinity"}`,
  bounds: { from, until },
});

/** The given values of these columns, in the order in which their indexes are preferred. */
const filteredColumns = ({ subjectId, actorId, address }: AuditFilter): Fixed => {
  const columns = { subject_id: subjectId, actor_id: actorId, address };
  return Object.entries(columns).flatMap(([name, value]) =>
    value ? [[sql.raw(name), sql`${value}::text`] as const] : [],
  );
};

/** A service's audit log with seals, newest first. A seal before the chain's start counts as missing. */
export const auditListOf = (schema: string): List<ListedAudit, AuditFilter> => ({
  schema,
  table: "audit",
  select: sql<ListedAudit>`
    ${selectColumns(columns.map((column) => `audit.${column}`))}, seal.position, seal.hash`,
  join: sql`
    left join ${sql.id(schema, "audit_seal")} as seal on seal.audit_id = audit.id
    and seal.position > coalesce((select max(position) from ${sql.id(schema, "audit_start")}), 0)`,
  keys: { occurredAt: { sql: sql`occurred_at`, type: "time", isIndexed: true } },
  order: { by: "occurredAt", direction: "desc" },
  hasNumberIds: true,
  where: (filter) => {
    const { action, outcome, requestId, from, until } = filter;
    const [first, ...others] = filteredColumns(filter);
    const hasLead = first !== undefined || Boolean(action);
    return [
      // First, because no other condition has fewer matches. The first index of these is used.
      requestId && equalsLead(sql`request_id`, sql`${requestId}::text`),
      hasLead && byKind(sql.id(schema, "audit"), first ? [first] : [], filter),
      !hasLead && outcome && { sql: sql`outcome = ${outcome}` },
      ...others.map(([column, value]) => ({ sql: sql<boolean>`${column} = ${value}` })),
      (from ?? until) && duringTime(filter),
    ];
  },
});
