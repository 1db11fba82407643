import { namesOf, picker, selectColumns, equalsLead, type List } from "@latchkey/service-kit";
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from "kysely";
import { schema, tables } from "../db/schema.ts";
import {
  endpointColumns,
  type EndpointState,
  type EndpointTable,
  type Tables,
} from "../db/tables.ts";

export type EndpointRow = Selectable<EndpointTable>;
/** An endpoint without its secrets. */
export type ShownEndpoint = Pick<EndpointRow, "events" | keyof typeof endpointColumns>;

const shownNames = [...namesOf(endpointColumns), "events"] as const;
const shown = shownNames.map((name) => `endpoint.${name}` as const);

/** Returns the members of an endpoint that callers see. */
export const showEndpoint: (row: EndpointRow | ShownEndpoint) => ShownEndpoint =
  picker<ShownEndpoint>(shownNames);

export interface EndpointFilter {
  organizationId?: string | undefined;
  state?: EndpointState | undefined;
}

/** All endpoints, newest first by default. */
export const endpointList: List<ShownEndpoint, EndpointFilter> = {
  schema,
  table: "endpoint",
  select: selectColumns(shown),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "desc" },
  where: ({ organizationId, state }) => [
    organizationId && equalsLead(sql.ref("organizationId"), sql`${organizationId}::text`),
    state && equalsLead(sql.ref("state"), sql`${state}::text`),
  ],
};

export const insertEndpoint = (
  db: Kysely<Tables>,
  endpoint: Insertable<EndpointTable>,
): Promise<EndpointRow> =>
  db.insertInto("endpoint").values(endpoint).returningAll().executeTakeFirstOrThrow();

/** Counts the endpoints of an organization, or of the installation, and lets no other be created until the transaction ends. */
export const countEndpointsLocked = async (
  trx: Kysely<Tables>,
  organizationId: string | null,
): Promise<number> => {
  const key = `latchkey webhooks of ${organizationId ?? "the installation"}`;
  await sql`select pg_advisory_xact_lock(hashtext(${key}))`.execute(trx);
  const { count } = await trx
    .selectFrom("endpoint")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organizationId", "is not distinct from", organizationId)
    .executeTakeFirstOrThrow();
  return count;
};

export const findEndpoint = (db: Kysely<Tables>, id: string): Promise<EndpointRow | undefined> =>
  db.selectFrom("endpoint").selectAll().where("id", "=", id).executeTakeFirst();

/** Locks an endpoint until the transaction ends. */
export const lockEndpoint = (trx: Kysely<Tables>, id: string): Promise<EndpointRow | undefined> =>
  trx.selectFrom("endpoint").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** Locks an endpoint if it is active. */
export const lockActive = (trx: Kysely<Tables>, id: string): Promise<EndpointRow | undefined> =>
  trx
    .selectFrom("endpoint")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "active")
    .forUpdate()
    .executeTakeFirst();

/** Locks those of the endpoints that are active and have failed for at least this time. */
export const lockFailing = (
  trx: Kysely<Tables>,
  { ids, seconds }: { ids: readonly string[]; seconds: number },
): Promise<EndpointRow[]> =>
  trx
    .selectFrom("endpoint")
    .selectAll()
    .where("id", "in", [...ids])
    .where("state", "=", "active")
    .where("failingSince", "<=", sql<Date>`now() - make_interval(secs => ${seconds})`)
    .orderBy("id")
    .forUpdate()
    .execute();

export const updateEndpoint = (
  db: Kysely<Tables>,
  id: string,
  change: Updateable<EndpointTable>,
): Promise<EndpointRow> =>
  db
    .updateTable("endpoint")
    .set(change)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Makes the waiting deliveries of an endpoint due at once. Locks lanes in the order in which all do. */
export const hastenLanes = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await sql`
    update ${tables.lane} set due_at = now() from (
      select subject from ${tables.lane} where endpoint_id = ${id} and due_at > now()
      order by subject for update
    ) as waiting
    where endpoint_id = ${id} and lane.subject = waiting.subject`.execute(db);
};

export const deleteEndpointRow = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("endpoint")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};
