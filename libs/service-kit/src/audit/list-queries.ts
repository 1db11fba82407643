import { type Kysely, type RawBuilder, sql } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { planAnew } from "../database/plan-anew.ts";
import type { ListPage } from "../lists/read-page.ts";

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

/** A page of matching audit rows, newest first. */
export interface AuditRange {
  schema: string;
  page: Pick<ListPage, "after" | "limit">;
  filter: AuditFilter;
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

const fits = ({ actorId, outcome, from, until }: AuditFilter) => {
  const asked = [
    actorId !== undefined && sql`actor_id = ${actorId}`,
    outcome !== undefined && sql`outcome = ${outcome}`,
    from !== undefined && sql`occurred_at >= ${from}`,
    until !== undefined && sql`occurred_at < ${until}`,
  ].filter((condition) => condition !== false);
  return asked.length === 0 ? sql`true` : sql.join(asked, sql` and `);
};

type Found = RawBuilder<unknown>;

const further = ({ after }: AuditRange["page"]): Found =>
  after ? sql`(occurred_at, id) < (${after.key}::timestamptz, ${after.id}::bigint)` : sql`true`;

const inOrder = sql`order by occurred_at desc, id desc`;

const found = ({ schema, page, filter }: AuditRange): Found => sql`
  select * from ${sql.id(schema, "audit")}
  where ${fits(filter)} and ${further(page)} ${inOrder} limit ${page.limit}`;

/**
 * The leading column of an index before action and outcome, with the value to match. Empty for the index that begins with the
 * action.
 */
interface Lead {
  columns: Found[];
  values: Found[];
}

const ofKind = [sql`audit.action collate "C"`, sql`audit.outcome`];

/**
 * Returns the newest rows of one action and outcome from the index on the lead, action and outcome. The sort order begins with
 * these columns and every value is a non-constant to the planner, so that no other index can be chosen, whatever the statistics
 * say. All columns are compared in row comparisons only, so that the scan covers exactly the matching range.
 */
const newestOfKind = (
  { schema, filter, page: { after, limit } }: AuditRange,
  { columns, values }: Lead,
): Found => {
  const { from, until, ...others } = filter;
  const by = [...columns, ...ofKind];
  const value = sql.join([...values, sql`kind.action`, sql`kind.outcome`]);
  const first = sql`${from ?? "-infinity"}::timestamptz`;
  const behind = sql`${after?.key ?? until ?? "infinity"}::timestamptz, ${after?.id ?? 0}::bigint`;
  const order = [...by, sql`occurred_at`, sql`id`].map((column) => sql`${column} desc`);
  return sql`
    select * from ${sql.id(schema, "audit")} as audit
    where (${sql.join(by)}, occurred_at) >= (${value}, ${first})
      and (${sql.join(by)}, occurred_at, id) < (${value}, ${behind}) and ${fits(others)}
    order by ${sql.join(order)} limit ${limit}`;
};

/**
 * Finds rows by the lead, the action prefix and the outcome. There are few actions and outcomes, so a loose index scan finds
 * them one by one. The newest rows of each follow.
 */
const foundByKind = (range: AuditRange, lead: Lead): Found => {
  const { action: beginning = "", outcome, ...others } = range.filter;
  const { columns, values } = lead;
  const order = sql.join([...columns, ...ofKind]);
  const withinLead = columns.map((column, index) => sql`and ${column} <= ${values[index]}`);
  const nextKind = (condition: Found) => sql`
    select audit.action, audit.outcome from ${sql.id(range.schema, "audit")} as audit
    where ${condition} ${sql.join(withinLead, sql` `)} order by ${order} limit 1`;
  const from = sql.join([...values, sql`${beginning}::text`]);
  const last = sql.join([...values, sql`kinds.action`, sql`kinds.outcome`]);
  return sql`
    select newest.* from (
      with recursive kinds as (
        (${nextKind(sql`(${sql.join([...columns, ofKind[0]])}) >= (${from})`)})
        union all
        select next.* from kinds
        cross join lateral (${nextKind(sql`(${order}) > (${last})`)}) as next
        where starts_with(kinds.action, ${beginning})
      )
      select action, outcome from kinds
      where starts_with(action, ${beginning}) and ${fits({ outcome })}
    ) as kind
    cross join lateral (${newestOfKind({ ...range, filter: others }, lead)}) as newest
    ${inOrder} limit ${range.page.limit}`;
};

const leadOf = (column: string, value: string): Lead => ({
  columns: [sql.id("audit", column)],
  values: [sql`${value}::text`],
});

const foundRows = (range: AuditRange): Found => {
  const { subjectId, ...notSubject } = range.filter;
  if (subjectId !== undefined)
    return foundByKind({ ...range, filter: notSubject }, leadOf("subject_id", subjectId));
  const { actorId, ...notActor } = notSubject;
  const rest = { ...range, filter: notActor };
  if (actorId !== undefined) return foundByKind(rest, leadOf("actor_id", actorId));
  return notActor.action === undefined
    ? found(rest)
    : foundByKind(rest, { columns: [], values: [] });
};

/**
 * Returns matching audit rows with their seals, newest first. The cost does not grow with the number of rows. A seal before the
 * chain's start counts as missing.
 */
export const listAuditRows = (db: Kysely<KitTables>, range: AuditRange): Promise<ListedAudit[]> => {
  const start = sql`(select max(position) from ${sql.id(range.schema, "audit_start")})`;
  const query = sql<ListedAudit>`
    select page.id, page.occurred_at, page.actor_kind, page.actor_id, page.subject_kind,
      page.subject_id, page.action, page.outcome, page.address, page.request_id,
      page.before, page.after, seal.position, seal.hash
    from (${foundRows(range)}) as page
    left join ${sql.id(range.schema, "audit_seal")} as seal
      on seal.audit_id = page.id and seal.position > coalesce(${start}, 0)
    order by page.occurred_at desc, page.id desc`;
  return planAnew(db, { compile: () => query.compile(db) });
};
