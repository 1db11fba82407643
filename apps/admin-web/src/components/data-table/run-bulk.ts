/** How far a bulk action has come. */
export interface BulkProgress<Row> {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly { readonly row: Row; readonly error: unknown }[];
}

interface Bulk<Row> {
  rows: readonly Row[];
  run: (row: Row) => Promise<unknown>;
  onProgress: (progress: BulkProgress<Row>) => void;
  /** Lets what is under way end, and begins nothing more. */
  signal: AbortSignal;
}

/** Few enough that the installation has time for others, too. */
const atOnce = 4;

/** Does one thing to many rows, whatever becomes of each. */
export const runBulk = async <Row>(bulk: Bulk<Row>): Promise<BulkProgress<Row>> => {
  const { rows, run, onProgress, signal } = bulk;
  const waiting = rows[Symbol.iterator]();
  let progress: BulkProgress<Row> = { total: rows.length, done: 0, failed: [] };
  const tell = (next: Partial<BulkProgress<Row>>) => {
    progress = { ...progress, ...next };
    onProgress(progress);
  };
  const work = async () => {
    for (const row of waiting) {
      if (signal.aborted) return;
      try {
        await run(row);
        tell({ done: progress.done + 1 });
      } catch (error) {
        tell({ failed: [...progress.failed, { row, error }] });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return progress;
};
