import { namesOf, picker } from "@latchkey/service-kit/database";
import {
  containsText,
  equalsLead,
  hasIds,
  type List,
  selectColumns,
} from "@latchkey/service-kit/lists";
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from "kysely";
import {
  endpointColumns,
  type EndpointState,
  type EndpointTable,
  schema,
  tables,
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

/** An endpoint with its attempts of the last 24 hours. */
export interface ListedEndpoint extends ShownEndpoint {
  deliveredLastDay: number;
  failedAttemptsLastDay: number;
}

/** Sums a figure of the hours that reach into the last day, at most 25 rows of the primary key. */
const sumOfLastDay = (column: "delivered" | "failed_attempts") => sql`(
  select coalesce(sum(${sql.ref(column)}), 0)::int from ${tables.endpointHour}
  where endpoint_id = endpoint.id and hour > now() - interval '1 day'
)`;

export interface EndpointFilter {
  /** A part of the URL or the description. */
  searchValue?: string | undefined;
  organizationId?: string | undefined;
  state?: EndpointState | undefined;
  ids?: string | readonly string[] | undefined;
}

/** Ranks those that need attention first, and among equals the newest. The factor is beyond any time in seconds. */
const condition = sql`
  case
    when state = 'active' and failing_since is not null then 0
    when state_reason in ('failures', 'gone') then 1
    when state <> 'active' then 2
    else 3
  end * 100000000000::numeric - extract(epoch from endpoint.created_at)`;

/** All endpoints, newest first by default. A search reads all of them, because they are few. */
export const endpointList: List<ListedEndpoint, EndpointFilter> = {
  schema,
  table: "endpoint",
  select: sql<ListedEndpoint>`
    ${selectColumns(shown)},
    ${sumOfLastDay("delivered")} as delivered_last_day,
    ${sumOfLastDay("failed_attempts")} as failed_attempts_last_day`,
  keys: {
    createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true },
    condition: { sql: condition, type: "number", isIndexed: false },
  },
  order: { by: "createdAt", direction: "desc" },
  where: ({ searchValue, organizationId, state, ids }) => [
    hasIds(ids),
    searchValue && {
      sql: sql<boolean>`(
        ${containsText(sql`lower(split_part(url, '?', 1))`, searchValue)} or ${containsText(sql`lower(description)`, searchValue)}
      )`,
      isSearch: true,
    },
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

/** Deletes an endpoint, and notes it, so that the sweep deletes its deliveries. */
export const deleteEndpointRow = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await sql`
    with gone as (delete from ${tables.endpoint} where id = ${id} returning id)
    insert into ${sql.id(schema, "deleted_endpoint")} (id, deleted_at) select id, now() from gone`.execute(
    db,
  );
};

/** Pauses up to `limit` endpoints of members that are active. Returns their ids. */
export const withholdFromMembers = async (
  trx: Kysely<Tables>,
  { limit, now }: { limit: number; now: Date },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update ${tables.endpoint} set state = 'paused', state_reason = 'not-allowed', updated_at = ${now}
    where id in (
      select id from ${tables.endpoint}
      where by_members and organization_id is not null and state = 'active'
      order by id limit ${limit} for update skip locked
    )
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Resumes up to `limit` endpoints of members that were paused because members could have none. Returns their ids. */
export const resumeWithheld = async (
  trx: Kysely<Tables>,
  { limit, now }: { limit: number; now: Date },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update ${tables.endpoint} set state = 'active', state_reason = null, failing_since = null, failure_count = 0,
      rest_until = null, updated_at = ${now}
    where id in (
      select id from ${tables.endpoint} where state = 'paused' and state_reason = 'not-allowed'
      order by id limit ${limit} for update skip locked
    )
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Mails to one contact on one day of UTC. */
const mailsMax = 10;
const dayLength = "2030-01-01".length;

/** Counts a mail to a contact, in the transaction that publishes it. Returns false for more than the limit, however many endpoints. */
export const countContactMail = async (
  trx: Kysely<Tables>,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> => {
  const day = now.toISOString().slice(0, dayLength);
  const counted = await trx
    .insertInto("contactMail")
    .values({ userId, day, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "day"])
        .doUpdateSet((eb) => ({ count: eb("contactMail.count", "+", 1) }))
        .where("contactMail.count", "<", mailsMax),
    )
    .returning("count")
    .executeTakeFirst();
  return counted !== undefined;
};

/** Removes the contacts who have left the organization of an endpoint. */
export const eraseLeftContacts = async (
  trx: Kysely<Tables>,
  members: readonly { organizationId: string; userId: string }[],
): Promise<void> => {
  const organizationIds = members.map(({ organizationId }) => organizationId);
  const userIds = members.map(({ userId }) => userId);
  await sql`
    update ${tables.endpoint} set contact_email = '', contact_name = '', contact_user_id = null
    from unnest(${organizationIds}::text[], ${userIds}::text[]) as gone (organization_id, user_id)
    where endpoint.organization_id = gone.organization_id and endpoint.contact_user_id = gone.user_id`.execute(
    trx,
  );
};

/** A user's proven address, or an empty one. */
export interface ContactAddress {
  userId: string;
  email: string;
}

/** Replaces the addresses of contacts. A contact without a proven address is mailed nothing, and stays for the next one. */
export const updateContactAddresses = async (
  trx: Kysely<Tables>,
  contacts: readonly ContactAddress[],
): Promise<void> => {
  const userIds = contacts.map(({ userId }) => userId);
  const emails = contacts.map(({ email }) => email);
  await sql`
    update ${tables.endpoint} set contact_email = changed.email
    from unnest(${userIds}::text[], ${emails}::text[]) as changed (user_id, email)
    where endpoint.contact_user_id = changed.user_id`.execute(trx);
};
