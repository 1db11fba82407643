import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema, tables, type Tables } from "../../db/tables.ts";

type Db = Kysely<Tables>;

const countOf = async (db: Db, statement: RawBuilder<{ count: number }>): Promise<number> =>
  (await statement.execute(db)).rows[0]?.count ?? 0;

const subjectOf = sql`delivery.subject_kind || ':' || delivery.subject_id`;

/**
 * Deletes up to `limit` deliveries from before a time and takes pending ones off their lanes. Skips locked ones and those that are being
 * sent. Returns the number.
 */
export const deleteOldDeliveries = (db: Db, before: Date, limit: number): Promise<number> =>
  countOf(
    db,
    sql`
      with old as (
        delete from ${tables.delivery} where ctid = any(array(
          select delivery.ctid from ${tables.delivery}
          where delivery.created_at < ${before} and (delivery.state <> 'pending' or not exists (
            select from ${tables.lane}
            where endpoint_id = delivery.endpoint_id and subject = ${subjectOf} and lease_until > now()
          ))
          order by delivery.created_at limit ${limit} for update of delivery skip locked
        ))
        returning delivery.endpoint_id, ${subjectOf} as subject, delivery.state
      ),
      gone as (
        select endpoint_id, subject, count(*)::int as count from old where state = 'pending' group by 1, 2
      ),
      held as (
        select lane.endpoint_id, lane.subject, lane.pending, gone.count from ${tables.lane}
        join gone on gone.endpoint_id = lane.endpoint_id and gone.subject = lane.subject
        order by lane.endpoint_id, lane.subject for update of lane
      ),
      lowered as (
        update ${tables.lane} set pending = lane.pending - held.count from held
        where lane.endpoint_id = held.endpoint_id and lane.subject = held.subject and held.pending > held.count
      ),
      emptied as (
        delete from ${tables.lane} using held
        where lane.endpoint_id = held.endpoint_id and lane.subject = held.subject and held.pending <= held.count
      )
      select count(*)::int as count from old`,
  );

/** Deletes up to `limit` events from before a time, with their deliveries, unless one is pending. Returns the number. */
export const deleteOldEvents = (db: Db, before: Date, limit: number): Promise<number> =>
  countOf(
    db,
    sql`
      with old as (
        select id from ${tables.event} where recorded_at < ${before} and not exists (
          select from ${tables.delivery} where event_id = event.id and state = 'pending'
        )
        order by recorded_at limit ${limit} for update skip locked
      ),
      sent as (delete from ${tables.delivery} using old where delivery.event_id = old.id),
      gone as (delete from ${tables.event} using old where event.id = old.id returning 1)
      select count(*)::int as count from gone`,
  );

/** Deletes up to `limit` endpoints whose organization was deleted and for which nothing waits. Returns them. */
export const deleteDeparted = (
  trx: Db,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> =>
  sql<{ id: string; organizationId: string }>`
    with gone as (
      delete from ${tables.endpoint} where id in (
        select id from ${tables.endpoint}
        where exists (
          select from ${tables.event}
          where subject_id = endpoint.organization_id and subject_kind = 'organization' and type = 'organization.deleted'
        ) and not exists (select from ${tables.lane} where endpoint_id = endpoint.id)
        order by id limit ${limit} for update skip locked
      )
      returning id, organization_id
    ),
    noted as (
      insert into ${sql.id(schema, "deleted_endpoint")} (id, deleted_at) select id, now() from gone
    )
    select id, organization_id from gone`
    .execute(trx)
    .then(({ rows }) => rows);

/** Returns the deleted endpoints of which rows may be left. */
export const listDeletedEndpoints = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("deletedEndpoint").select("id").execute()).map(({ id }) => id);

/** The order of the index on the endpoint. Without it, each batch could collect all rows of the endpoint. */
const indexOrders = { delivery: "created_at, id", endpoint_hour: "hour", lane: "due_at" };
export const orphanTables = ["delivery", "lane", "endpoint_hour"] as const;

/** Deletes up to `limit` rows of a deleted endpoint, which an index finds. Skips locked ones, and returns the number. */
export const deleteOrphans = async (
  db: Db,
  table: keyof typeof indexOrders,
  { endpointId, limit }: { endpointId: string; limit: number },
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.id(schema, table)} where ctid = any(array(
      select ctid from ${sql.id(schema, table)} where endpoint_id = ${endpointId}
      order by ${sql.raw(indexOrders[table])} limit ${limit} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
};

/**
 * Forgets endpoints that were deleted before a time and of which nothing is left. Until then, transactions that began before the deletion
 * may have added deliveries.
 */
export const forgetDeletedEndpoints = async (db: Db, before: Date): Promise<void> => {
  await sql`
    delete from ${tables.deletedEndpoint} where deleted_at < ${before}
      and not exists (select from ${tables.delivery} where endpoint_id = deleted_endpoint.id)
      and not exists (select from ${tables.lane} where endpoint_id = deleted_endpoint.id)`.execute(
    db,
  );
};

/** Deletes former secrets that no longer sign. */
export const deleteFormerSecrets = async (db: Db, now: Date): Promise<void> => {
  await db
    .updateTable("endpoint")
    .set({ formerSecretSealed: null, formerSecretUntil: null })
    .where("formerSecretUntil", "<=", now)
    .execute();
};

/** Deletes the figures from before a time. */
export const deleteOldHours = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom("endpointHour").where("hour", "<", before).execute();
};

/** Deletes counts of mails that no limit needs any more. */
export const deleteOldContactMails = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom("contactMail").where("day", "<", before.toISOString().slice(0, 10)).execute();
};
