import {
  type ApplicationEventType,
  applicationEvents,
  factOf,
  type RecordedEvent,
  recordedEventsMax,
} from "@latchkey/contracts";
import type { AuditTable, FeedingTables } from "../database/kit-tables.ts";
import type { Kysely, Selectable } from "kysely";
import { every } from "../background/every.ts";
import type { Background } from "../background/every.ts";
import type { Logger } from "../observe/logger.ts";
import { appendEvent } from "./append-event.ts";
import type { AppendEventCollaborators } from "./append-events.ts";

/** A sealed audit entry of a change. */
export type AuditedChange = Pick<
  Selectable<AuditTable>,
  "action" | "after" | "before" | "occurredAt" | "subjectId" | "subjectKind"
>;

/**
 * Returns the events of audit entries, one list for each entry. Reads the current objects in the given transaction.
 */
export type DescribeChanges<Tables> = (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
) => Promise<RecordedEvent[][]>;

/** For each type of event the events of a change, of which there may be none or several. `Current` holds the objects of the changes. */
export type Describers<Type extends ApplicationEventType, Current> = {
  readonly [T in Type]: (change: AuditedChange, current: Current) => RecordedEvent[];
};

/** Returns the events that the fact of a change tells. */
export const describeChange = <Type extends ApplicationEventType, Current>(
  describers: Describers<Type, Current>,
  change: AuditedChange,
  current: Current,
): RecordedEvent[] =>
  (factOf(change.action)?.tells ?? []).flatMap((type) =>
    Object.hasOwn(describers, type) ? describers[type as Type](change, current) : [],
  );

export interface RecordEventsOptions<
  Tables extends FeedingTables,
> extends AppendEventCollaborators {
  db: Kysely<Tables>;
  logger: Logger;
  wakeRelay: () => void;
  /** Without, entries are skipped, so that the events of that time are not recorded later. */
  isEnabled: boolean;
  describe: DescribeChanges<Tables>;
}

/** Finds what a wake-up missed, such as entries sealed while another replica held the position. */
const feedMilliseconds = 5_000;
const entriesMax = 100;

const hasNews = async (db: Kysely<FeedingTables>): Promise<boolean> => {
  const newRow = await db
    .selectFrom("auditSeal")
    .select("position")
    .where("position", ">", (eb) =>
      eb.fn.coalesce(
        eb.selectFrom("eventFeed").select("eventFeed.position"),
        eb.lit(0).$castTo<number>(),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return newRow !== undefined;
};

/** Locks the position, which a new installation does not have yet. Returns undefined if another replica holds it. */
const lockFeed = async (trx: Kysely<FeedingTables>) => {
  await trx
    .insertInto("eventFeed")
    .values({ id: 1, position: 0, lastEventId: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx
    .selectFrom("eventFeed")
    .select(["position", "lastEventId"])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
};

const listChanges = (trx: Kysely<FeedingTables>, position: number) =>
  trx
    .selectFrom("auditSeal")
    .innerJoin("audit", "audit.id", "auditSeal.auditId")
    .select([
      "auditSeal.position",
      "audit.action",
      "audit.before",
      "audit.after",
      "audit.occurredAt",
      "audit.outcome",
      "audit.subjectId",
      "audit.subjectKind",
    ])
    .where("auditSeal.position", ">", position)
    .orderBy("auditSeal.position")
    .limit(entriesMax)
    .execute();

/**
 * Returns the event of a change as it is published, without members that are not in the contract. An event that does not match its
 * declaration is logged and left out, because it would otherwise hold up all later ones.
 */
const prepare = (
  { logger, newEventId }: Pick<RecordEventsOptions<FeedingTables>, "logger" | "newEventId">,
  { action, occurredAt, subjectId }: AuditedChange,
  { type, subject, data }: RecordedEvent,
) => {
  const { data: declared, version } = applicationEvents[type satisfies ApplicationEventType];
  const checked = declared.safeParse(data);
  if (!checked.success) {
    const paths = checked.error.issues.map(({ path }) => path.join("."));
    logger.error(
      { type, action, subjectId, paths },
      "event does not match its declaration, left out",
    );
    return [];
  }
  const shown = checked.data as Record<string, unknown>;
  return [
    { id: newEventId(), type, version, occurredAt: occurredAt.toISOString(), subject, data: shown },
  ];
};

/**
 * Reads the next audit entries and publishes their events in one message. The chain contains each committed entry once, also one that
 * committed late, so no event is lost and none is repeated. Returns whether there may be more. One replica works at a time.
 */
export const recordEvents = async <Tables extends FeedingTables>(
  options: RecordEventsOptions<Tables>,
): Promise<boolean> => {
  const db = options.db as unknown as Kysely<FeedingTables>; // a service's tables extend these
  if (!(await hasNews(db))) return false;
  const count = await db.transaction().execute(async (trx) => {
    const feed = await lockFeed(trx);
    if (!feed) return 0;
    const entries = await listChanges(trx, feed.position);
    const last = entries.at(-1);
    if (!last) return 0;
    const changes = options.isEnabled ? entries.filter((one) => one.outcome === "success") : [];
    const described = await options.describe(trx as unknown as Kysely<Tables>, changes);
    const events = changes.flatMap((change, index) =>
      (described[index] ?? []).flatMap((event) => prepare(options, change, event)),
    );
    let lastEventId = feed.lastEventId;
    for (let from = 0; from < events.length; from += recordedEventsMax) {
      const data = {
        previousId: lastEventId,
        events: events.slice(from, from + recordedEventsMax),
      };
      lastEventId = (await appendEvent(trx, options, { name: "events.recorded", data })).id;
    }
    await trx.updateTable("eventFeed").set({ position: last.position, lastEventId }).execute();
    return entries.length;
  });
  if (count > 0) options.wakeRelay();
  return count === entriesMax;
};

/** Records the events of a service as soon as its audit entries are sealed. Every replica may run one. */
export const startRecordingEvents = <Tables extends FeedingTables>(
  options: RecordEventsOptions<Tables>,
): Background => {
  let stopping = false;
  const timer = every(feedMilliseconds, options.logger, async () => {
    while (!stopping && (await recordEvents(options)));
  });
  return {
    onSealed: timer.wake,
    stop: async () => {
      stopping = true;
      await timer.stop();
    },
  };
};
