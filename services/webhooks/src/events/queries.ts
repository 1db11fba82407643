import { WireError } from "@latchkey/contracts";
import { planAnew } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { tables, type Tables } from "../db/tables.ts";

/** Returns the sequence of a cursor, or 0 without one. Throws `VALIDATION_ERROR`. */
export const readCursor = (text: string | undefined, path = "after"): number => {
  if (text === undefined || text === "") return 0;
  const sequence = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(sequence)) return sequence;
  throw new WireError("VALIDATION_ERROR", {
    issues: [{ path, message: "must be a cursor of an earlier reply" }],
  });
};

/** An event to store. */
export interface NewEvent {
  id: string;
  type: string;
  subjectKind: string;
  subjectId: string;
  organizationId: string | null;
  occurredAt: string;
  body: string;
}

/**
 * Serializes the arrival of events until the transaction ends. Without it, an event could become visible after one with a higher sequence,
 * and a reader that has passed that one would miss it.
 */
export const lockEvents = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('latchkey webhook events'))`.execute(trx);
};

/** Stores events in the given order. */
export const insertEvents = async (
  trx: Kysely<Tables>,
  events: readonly NewEvent[],
  recordedAt: Date,
): Promise<void> => {
  await sql`
    insert into ${tables.event} (id, type, subject_kind, subject_id, organization_id, occurred_at, recorded_at, body)
    select id, type, "subjectKind", "subjectId", "organizationId", "occurredAt", ${recordedAt}, body
    from jsonb_to_recordset(${JSON.stringify(events.map((event, place) => ({ ...event, place })))}::jsonb) as given (
      id text, type text, "subjectKind" text, "subjectId" text, "organizationId" text, "occurredAt" timestamptz,
      body text, place int
    )
    order by place`.execute(trx);
};

interface ListedEvent {
  sequence: number;
  type: string;
  body: string;
}

/** Returns the highest sequence, or 0 without events. No later event gets a lower one. */
export const findLastSequence = async (db: Kysely<Tables>): Promise<number> => {
  const { last } = await db
    .selectFrom("event")
    .select((eb) => eb.fn.max("sequence").as("last"))
    .executeTakeFirstOrThrow();
  return last ?? 0;
};

/** Returns the events after a sequence up to another, in order, without those of other types. */
export const listEvents = (
  db: Kysely<Tables>,
  {
    after,
    last,
    types,
    limit,
  }: { after: number; last: number; types: readonly string[]; limit: number },
): Promise<ListedEvent[]> =>
  db
    .selectFrom("event")
    .select(["sequence", "type", "body"])
    .where("sequence", ">", after)
    .where("sequence", "<=", last)
    .where("type", "in", [...types])
    .orderBy("sequence")
    .limit(limit)
    .execute();

interface NewestEvents {
  /** Types that the caller may read. */
  types: readonly string[];
  /** Leaves out the event with this sequence and later ones. */
  before: number | undefined;
  subjectId?: string | undefined;
  organizationId?: string | undefined;
  eventId?: string | undefined;
  limit: number;
}

/** Selects the newest events of some types. An index finds those of one type and those of one subject. */
export const selectNewestEvents = (
  db: Kysely<Tables>,
  { types, before, subjectId, organizationId, eventId, limit }: NewestEvents,
) => {
  let query = db
    .selectFrom("event")
    .select(["id", "sequence", "body", "subjectKind", "subjectId"])
    .where("type", "in", [...types]);
  if (before !== undefined) query = query.where("sequence", "<", before);
  if (subjectId !== undefined) query = query.where("subjectId", "=", subjectId);
  // An event belongs to an organization if that is its subject, by which the index finds it.
  if (organizationId !== undefined)
    query = query
      .where("subjectId", "=", organizationId)
      .where("organizationId", "=", organizationId);
  if (eventId !== undefined) query = query.where("id", "=", eventId);
  return query.orderBy("sequence", "desc").limit(limit);
};

/** Returns the newest events of some types, in the reverse order of their arrival. */
export const listNewestEvents = (db: Kysely<Tables>, wanted: NewestEvents) =>
  planAnew(db, selectNewestEvents(db, wanted));

/** Returns the type of an event of applications. Undefined for test events too. */
export const findEvent = (db: Kysely<Tables>, id: string): Promise<{ type: string } | undefined> =>
  db
    .selectFrom("event")
    .select("type")
    .where("id", "=", id)
    .where("subjectKind", "<>", "webhook")
    .executeTakeFirst();

/** Returns whether a message was consumed. */
export const isConsumed = async (db: Kysely<Tables>, eventId: string): Promise<boolean> => {
  const row = await db
    .selectFrom("inbox")
    .select("eventId")
    .where("eventId", "=", eventId)
    .executeTakeFirst();
  return row !== undefined;
};

/** Deletes the names and addresses of deleted users: in events, in responses that may repeat them, and as contacts of webhooks. */
export const eraseUsers = async (
  trx: Kysely<Tables>,
  userIds: readonly string[],
): Promise<void> => {
  await sql`
    update ${tables.event} set body = jsonb_set(body::jsonb, '{data,user}', 'null')::text
    where subject_id = any(${[...userIds]}::text[]) and subject_kind = 'user'
      and jsonb_typeof(body::jsonb #> '{data,user}') = 'object'`.execute(trx);
  await sql`
    update ${tables.attempt} set response = null from ${tables.delivery}
    where delivery.id = attempt.delivery_id and response is not null
      and delivery.subject_id = any(${[...userIds]}::text[]) and delivery.subject_kind = 'user'`.execute(
    trx,
  );
  await trx
    .updateTable("endpoint")
    .set({ contactEmail: "", contactName: "", contactUserId: null })
    .where("contactUserId", "in", [...userIds])
    .execute();
};

/** Deletes the addresses of deleted invitations from their events, and from responses that may repeat them. */
export const eraseInvitations = async (
  trx: Kysely<Tables>,
  invitations: readonly { organizationId: string; invitationId: string }[],
): Promise<void> => {
  const organizationIds = [...new Set(invitations.map(({ organizationId }) => organizationId))];
  const ids = invitations.map(({ invitationId }) => invitationId);
  const { rows } = await sql<{ id: string }>`
    update ${tables.event} set body = jsonb_set(body::jsonb, '{data,invitation}', 'null')::text
    where subject_id = any(${organizationIds}::text[]) and subject_kind = 'organization'
      and type like 'invitation.%' and body::jsonb #>> '{data,invitationId}' = any(${ids}::text[])
    returning id`.execute(trx);
  await sql`
    update ${tables.attempt} set response = null from ${tables.delivery}
    where delivery.id = attempt.delivery_id and response is not null
      and delivery.event_id = any(${rows.map(({ id }) => id)}::text[])`.execute(trx);
};
