import { eventCatalogue, type ServiceName } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Bus, MessageState } from "../bus/bus.ts";
import type { KitTables } from "../database/kit-tables.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Tracing } from "../observe/tracing.ts";
import { createWake } from "../background/create-wake.ts";
import * as queries from "./outbox-queries.ts";
import { createPublisher, type PublishRows } from "./publish-rows.ts";

export interface RelayOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  bus: Bus;
  clock: () => number;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** The services that run. Nothing is published to others. */
  present: readonly ServiceName[];
  /** Interval of outbox sweeps without a wake. */
  sweepMilliseconds?: number;
  /** Time until a published row is first checked against the bus. */
  confirmAfterMilliseconds?: number;
}

export interface Relay {
  /** Begins to publish. */
  start(): void;
  /** Call after the commit of a transaction with events. Cheap, and never rejects. Has no effect before the start. */
  wake(): void;
  /**
   * Call when this process has applied an event whose row has `ownPublishedAt`. The next pass deletes the row. If that fails,
   * the event is published and applied again.
   */
  settle(id: string): void;
  /** Returns the number of unpublished events and the age of the oldest one. */
  lag(): Promise<{ waiting: number; oldestSeconds: number }>;
  /** Stops after the current pass. */
  stop(): Promise<void>;
}

const batchMax = 100;
/** Least time between two passes, so that a pass under load publishes several events. */
const paceMilliseconds = 20;
const restMillisecondsMax = 5_000;
/** Shorter than the inbox's retention, because an older row might have a second effect. */
const republishMilliseconds = 21 * 86_400_000;

/**
 * Creates a relay, which publishes the outbox to the bus once it is started. A row stays until the bus reports it as done for every consumer. So a bus that loses data (a
 * Redis killed before it wrote to disk) delays an event, but loses none. Replicas share the work by row locks.
 */
export const createRelay = <Tables extends KitTables>(options: RelayOptions<Tables>): Relay => {
  const {
    bus,
    clock,
    logger,
    sweepMilliseconds = 1_000,
    confirmAfterMilliseconds = queries.confirmMilliseconds,
  } = options;
  const db = options.db as unknown as Kysely<KitTables>;
  const { wake, pause, rest, end } = createWake();
  let stopping = false;
  let confirmedAt = Number.NEGATIVE_INFINITY;

  const publishRows = createPublisher(options);
  const publishing = { publishRows, consumersOf: consumersAmong(options.present) };
  const confirming = { ...publishing, clock, waitMilliseconds: confirmAfterMilliseconds };
  const settled = createSettled(db, logger);
  /** A relay that is not woken first looks for rows, because most of its passes would find none. */
  const pass = async (isWoken: boolean): Promise<void> => {
    await settled.delete();
    if (!isWoken && !(await queries.hasDueRows(db, confirmAfterMilliseconds))) return;
    for (let more = true; more && !stopping;) {
      more = (await publishBatch(db, publishing)) === batchMax;
      if (performance.now() - confirmedAt < sweepMilliseconds) continue;
      if ((await confirmBatch(db, bus, confirming)) === batchMax) more = true;
      else confirmedAt = performance.now();
    }
  };
  const loop = async (): Promise<void> => {
    let isWoken = true;
    for (let failures = 0; !stopping;) {
      try {
        const nextAt = performance.now() + paceMilliseconds;
        await pass(isWoken);
        failures = 0;
        isWoken = await pause(sweepMilliseconds);
        if (!stopping) await rest(nextAt - performance.now());
      } catch (error) {
        logger.warn({ err: error }, "relay pass failed, its events stay in the outbox");
        failures += 1;
        const waitMilliseconds = Math.min(sweepMilliseconds * 2 ** failures, restMillisecondsMax);
        if (!stopping) await rest(waitMilliseconds);
      }
    }
  };
  let ended: Promise<void> | undefined;

  return {
    start: () => {
      ended ??= loop();
    },
    wake,
    settle: settled.add,
    lag: () => readLag(db, clock),
    stop: async () => {
      stopping = true;
      end();
      await ended;
      await settled.deleteLast();
    },
  };
};

/** Collects applied own events, so that one statement deletes many. */
const createSettled = (db: Kysely<KitTables>, logger: Logger) => {
  const ids: string[] = [];
  const deleteAll = () => queries.deleteOutboxRows(db, ids.splice(0));
  return {
    add: (id: string) => void ids.push(id),
    delete: deleteAll,
    deleteLast: () =>
      deleteAll().catch((error: unknown) =>
        logger.warn({ err: error }, "failed to delete applied events, they will be applied again"),
      ),
  };
};

const readLag = async (
  db: Kysely<KitTables>,
  clock: () => number,
): Promise<{ waiting: number; oldestSeconds: number }> => {
  const { waiting, oldest } = await queries.findBacklog(db);
  const age = oldest ? clock() - oldest.getTime() : 0;
  return { waiting, oldestSeconds: Math.max(0, age / 1_000) };
};

/** Returns the services that consume an event and run. */
type ConsumersOf = (row: queries.OutboxRow) => readonly ServiceName[];

const consumersAmong =
  (present: readonly ServiceName[]): ConsumersOf =>
  ({ name }) => {
    const consumers: readonly ServiceName[] = eventCatalogue[name].consumers;
    return consumers.filter((service) => present.includes(service));
  };

interface Publishing {
  publishRows: PublishRows;
  consumersOf: ConsumersOf;
}

const byQueue = (
  consumersOf: ConsumersOf,
  rows: readonly queries.OutboxRow[],
  isFor: (row: queries.OutboxRow, queue: ServiceName) => boolean = () => true,
): [ServiceName, queries.OutboxRow[]][] => {
  const queues = new Set(rows.flatMap(consumersOf));
  return [...queues].map((queue) => [
    queue,
    rows.filter((row) => consumersOf(row).includes(queue) && isFor(row, queue)),
  ]);
};

const publishAll = async (
  publishRows: PublishRows,
  batches: [ServiceName, queries.OutboxRow[]][],
): Promise<void> => {
  await Promise.all(batches.map(([queue, rows]) => publishRows(queue, rows)));
};

/** The locks are held during the calls to the bus, limited by their deadline, so that two replicas never publish one row. */
const publishBatch = (
  db: Kysely<KitTables>,
  { publishRows, consumersOf }: Publishing,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const rows = await queries.lockUnpublished(trx, batchMax);
    await publishAll(publishRows, byQueue(consumersOf, rows));
    await queries.updatePublishedAt(
      trx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });

const confirmBatch = (
  db: Kysely<KitTables>,
  bus: Bus,
  {
    clock,
    publishRows,
    consumersOf,
    waitMilliseconds,
  }: Publishing & { clock: () => number; waitMilliseconds: number },
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const rows = await queries.lockUnconfirmed(trx, { waitMilliseconds, limit: batchMax });
    const states = await readStates(bus, byQueue(consumersOf, rows));
    const stateOf = (row: queries.OutboxRow, queue: ServiceName) => states.get(queue)?.get(row.id);
    const isDone = (row: queries.OutboxRow) =>
      consumersOf(row).every((queue) => stateOf(row, queue) === "done");
    const isYoung = (row: queries.OutboxRow) =>
      clock() - row.occurredAt.getTime() < republishMilliseconds;
    const lost = byQueue(
      consumersOf,
      rows,
      (row, queue) => isYoung(row) && stateOf(row, queue) === "missing",
    );
    await publishAll(publishRows, lost);
    const [done, open] = [rows.filter(isDone), rows.filter((row) => !isDone(row))];
    await queries.deleteOutboxRows(
      trx,
      done.map(({ id }) => id),
    );
    await queries.updatePublishedAt(
      trx,
      open.map(({ id }) => id),
    );
    return rows.length;
  });

const readStates = async (
  bus: Bus,
  batches: [ServiceName, queries.OutboxRow[]][],
): Promise<Map<ServiceName, Map<string, MessageState>>> => {
  const entries = batches.map(async ([queue, rows]) => {
    const ids = rows.map(({ id }) => id);
    return [queue, await bus.states(queue, ids)] as const;
  });
  return new Map(await Promise.all(entries));
};
