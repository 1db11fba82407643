import { sql } from "kysely";
import { looseScan } from "../lists/index-lead.ts";
import { type List, type ListCondition, selectColumns, type Sql } from "../lists/list.ts";

/** Criteria for audit rows. A row must match all of them. */
export interface AuditFilter {
  actorId?: string | undefined;
  subjectId?: string | undefined;
  /** A prefix of the action. */
  action?: string | undefined;
  outcome?: string | undefined;
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

/** The index columns after the subject or the actor, if any. */
const kind = [sql`action collate "C"`, sql`outcome`] as const;

type Fixed = readonly (readonly [column: Sql, value: Sql])[];

/**
 * Matches rows by a subject or an actor, the beginning of the action, and the outcome. There are few actions and outcomes, so each
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

const fixedBy = ({ subjectId, actorId }: AuditFilter): Fixed => {
  if (subjectId) return [[sql`subject_id`, sql`${subjectId}::text`]];
  return actorId ? [[sql`actor_id`, sql`${actorId}::text`]] : [];
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
    const { subjectId, actorId, action, outcome, from, until } = filter;
    const fixed = fixedBy(filter);
    const hasLead = fixed.length > 0 || Boolean(action);
    return [
      hasLead && byKind(sql.id(schema, "audit"), fixed, filter),
      !hasLead && outcome && { sql: sql`outcome = ${outcome}` },
      subjectId && actorId && { sql: sql`actor_id = ${actorId}` },
      (from ?? until) && duringTime(filter),
    ];
  },
});
