import { activityFacts, factOf } from "@latchkey/contracts";
import { type Kysely, sql } from "kysely";

interface ActivityRow {
  id: number;
  occurredAt: Date;
  actorKind: string;
  actorId: string | null;
  action: string;
  address: string;
}

/**
 * Returns the latest entries of a service's audit log that a user sees in the activity of their account, newest first. Each action is read
 * by an index in the order of time, so that the cost depends on the limit alone.
 */
export const listActivity = async (
  { db, schema }: { db: Kysely<any>; schema: string }, // of any service
  { userId, limit }: { userId: string; limit: number },
): Promise<ActivityRow[]> => {
  const table = sql.id(schema, "audit");
  const latest = (column: "actor" | "subject") => {
    const actions = activityFacts(column);
    const outcomes = actions.map((action) => (factOf(action)?.warns ? "refused" : "success"));
    return sql`
    select entry.* from unnest(${actions}::text[], ${outcomes}::text[]) as shown (action, outcome)
    cross join lateral (
      select id, occurred_at, actor_kind, actor_id, action, address from ${table}
      where ${sql.id(`${column}_id`)} = ${userId} and action collate "C" = shown.action collate "C"
        and outcome = shown.outcome and ${sql.id(`${column}_kind`)} = 'user'
      order by occurred_at desc, id desc limit ${limit}) as entry`;
  };
  const { rows } = await sql<ActivityRow>`
    select * from (${latest("subject")} union all ${latest("actor")}) as entry
    order by occurred_at desc, id desc limit ${limit}`.execute(db);
  return rows;
};
