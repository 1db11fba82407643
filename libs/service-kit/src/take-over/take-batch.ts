import { listTaken } from "./queries.ts";
import type { GivenRow, SourceBatch, TakeOverNote, TakenBatch } from "./source-batch.ts";
import type { TakeOverTables } from "./taken-table.ts";
import type { Kysely } from "kysely";

/** What rows of another database come to here. */
export interface TakePlan<Row> {
  rows: GivenRow<Row>[];
  left: TakeOverNote[];
  noted: TakeOverNote[];
}

/** How rows of one kind are taken over. Each change says whose rows it found as they were left, or free. */
export interface Taker<Values, Row> {
  /** Reads what was given, and leaves out what cannot be kept. `known` are those that were taken over before. */
  plan(
    given: readonly GivenRow<Values>[],
    known: ReadonlySet<string>,
    batch: SourceBatch<Values>,
  ): Promise<TakePlan<Row>>;
  insert(rows: GivenRow<Row>[], batch: SourceBatch<Values>): Promise<Set<string>>;
  update(rows: GivenRow<Row>[], batch: SourceBatch<Values>): Promise<Set<string>>;
  /** The same for what is gone there; forgets all of them. Without it they stay. */
  remove?(keys: string[], batch: SourceBatch<Values>): Promise<Set<string>>;
  /** Whether what can no longer be brought goes here too, as it would open there what it does not any more: else it stays. */
  endsRefused?: boolean;
  /** Which an update or a removal would find as they were left. */
  untouched(keys: string[], batch: SourceBatch<Values>): Promise<Set<string>>;
}

const changedHere = "it was changed here since";
const goneThere = "it is gone there, and was changed or removed here since";
const taken = "it is taken here, or what it belongs to is gone here";

const leftOut = (keys: readonly string[], done: ReadonlySet<string>, reason: string) =>
  keys.filter((key) => !done.has(key)).map((key) => ({ key, reason }));

/**
 * Brings rows up to what another database has: new ones are written, changed and vanished ones followed as long as nobody changed
 * them here. What has become of each rests with the change itself, so that a run that was broken off is gone through again.
 */
export const takeBatch = async <Values, Row, Tables extends TakeOverTables>(
  { db }: { db: Kysely<Tables> },
  taker: Taker<Values, Row>,
  batch: SourceBatch<Values>,
): Promise<TakenBatch> => {
  const known = await listTaken(db, batch);
  const there = new Set(batch.rows.map(({ key }) => key));
  const stale = batch.rows.filter(({ key, hash }) => known.get(key) !== hash);
  const vanished = taker.remove ? [...known.keys()].filter((key) => !there.has(key)) : [];
  const given = stale.length > 0 ? await batch.load(stale.map(({ key }) => key)) : [];
  const plan = await taker.plan(given, new Set(known.keys()), batch);
  // Those that were changed here stay known, so that nothing brings them back.
  const refused = taker.endsRefused
    ? plan.left.map(({ key }) => key).filter((key) => known.has(key))
    : [];
  const ended = refused.length > 0 ? await taker.untouched(refused, batch) : new Set<string>();
  const gone = [...vanished, ...ended];
  const fresh = plan.rows.filter(({ key }) => !known.has(key));
  const changed = plan.rows.filter(({ key }) => known.has(key));
  const keys = changed.map(({ key }) => key);
  const none = new Set<string>();
  const apply = {
    insert: () =>
      batch.isDryRun ? new Set(fresh.map(({ key }) => key)) : taker.insert(fresh, batch),
    update: () => (batch.isDryRun ? taker.untouched(keys, batch) : taker.update(changed, batch)),
    remove: () =>
      batch.isDryRun ? taker.untouched(gone, batch) : (taker.remove?.(gone, batch) ?? none),
  };
  const removed = gone.length > 0 ? await apply.remove() : none;
  const updated = changed.length > 0 ? await apply.update() : none;
  const inserted = fresh.length > 0 ? await apply.insert() : none;
  return {
    added: inserted.size,
    changed: updated.size,
    same: batch.rows.length - stale.length,
    removed: removed.size,
    left: [
      ...plan.left,
      ...leftOut(keys, updated, changedHere),
      ...leftOut(
        fresh.map(({ key }) => key),
        inserted,
        taken,
      ),
      ...leftOut(vanished, removed, goneThere),
    ].map(({ key, reason }) => ({ key, reason, isHere: known.has(key) && !removed.has(key) })),
    noted: plan.noted.filter(({ key }) => inserted.has(key) || updated.has(key)),
  };
};
