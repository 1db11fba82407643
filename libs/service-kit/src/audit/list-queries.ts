import { sql } from "kysely";
import { equalsLead, looseScan } from "../lists/index-lead.ts";
import { type List, type ListCondition, selectColumns, type Sql } from "../lists/list.ts";

/** Criteria for audit rows. A row must match all of them. */
export interface AuditFilter {
  /** An entry has one of them. Empty texts count as missing. */
  actorId?: string | readonly string[] | undefined;
  subjectId?: string | readonly string[] | undefined;
  /** A prefix of the action. */
  action?: string | undefined;
  /** A part of the action. Dots, hyphens and spaces are equal in it. */
  actionPart?: string | undefined;
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

/** A column with the values of which a row has one. */
type Chosen = readonly [column: Sql, values: readonly string[]];

const isOneOf = ([column, values]: Chosen) => sql<boolean>`${column} = any(${values}::text[])`;

/**
 * Matches rows by subjects, actors or an address, the beginning or a part of the action, and the outcome. There are few actions and outcomes,
 * so each combination of them is read by an index in the list's order.
 */
const byKind = (
  table: Sql,
  chosen: Chosen | undefined,
  { action: prefix = "", actionPart: part = "", outcome }: AuditFilter,
): ListCondition => {
  const inWords = (text: Sql) => sql`translate(${text}, '.-', '  ')`;
  const matches = (action: Sql) =>
    sql`starts_with(${action}, ${prefix}) and strpos(${inWords(action)}, ${inWords(sql`${part}::text`)}) > 0`;
  const present = (fixed: Parameters<typeof looseScan>[0]["fixed"]) =>
    looseScan({ table, fixed, columns: kind, prefix });
  const isWanted = sql`${matches(sql`kind.value0`)} and ${outcome ? sql`kind.value1 = ${outcome}` : sql`true`}`;
  const ofRow = sql<boolean>`${matches(sql`action`)} and outcome = coalesce(${outcome}, outcome)`;
  if (!chosen)
    return {
      sql: ofRow,
      lead: {
        columns: kind,
        values: sql`select kind.value0, kind.value1 from (${present([])}) as kind where ${isWanted}`,
      },
    };
  const [column, values] = chosen;
  return {
    sql: sql<boolean>`${isOneOf(chosen)} and ${ofRow}`,
    lead: {
      columns: [column, ...kind],
      values: sql`
        select party.id, kind.value0, kind.value1 from unnest(${values}::text[]) as party (id)
        cross join lateral (${present([[column, sql`party.id`]])}) as kind where ${isWanted}`,
    },
  };
};

const duringTime = ({ from, until }: AuditFilter): ListCondition => ({
  sql: sql`occurred_at >= ${from ?? "-infinity"} and occurred_at < ${until ?? "infinity"}`,
  bounds: { from, until },
});

/** The given values of these columns, in the order in which their indexes are preferred. */
const chosenColumns = ({ subjectId, actorId, address }: AuditFilter): Chosen[] => {
  const columns = { subject_id: subjectId, actor_id: actorId, address };
  return Object.entries(columns).flatMap(([name, given]) => {
    const values = [...new Set([given ?? []].flat().filter(Boolean))];
    return values.length > 0 ? [[sql.raw(name), values] as const] : [];
  });
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
    const { action, actionPart, outcome, requestId, from, until } = filter;
    const [first, ...others] = chosenColumns(filter);
    const hasLead = first !== undefined || Boolean(action) || Boolean(actionPart);
    return [
      // First, because no other condition has fewer matches. The first index of these is used.
      requestId && equalsLead(sql`request_id`, sql`${requestId}::text`),
      hasLead && byKind(sql.id(schema, "audit"), first, filter),
      !hasLead && outcome && { sql: sql`outcome = ${outcome}` },
      ...others.map((one) => ({ sql: isOneOf(one) })),
      (from ?? until) && duringTime(filter),
    ];
  },
});
