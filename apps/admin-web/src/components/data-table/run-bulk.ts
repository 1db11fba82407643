/** The progress of a bulk action. */
export interface BulkProgress<Row> {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly { readonly row: Row; readonly error: unknown }[];
}

interface Bulk<Row> {
  rows: readonly Row[];
  run: (row: Row) => Promise<unknown>;
  onProgress: (progress: BulkProgress<Row>) => void;
  /** Stops the action: pending rows finish, and no others start. */
  signal: AbortSignal;
}

/** Low enough to leave the installation capacity for other requests. */
const atOnce = 4;

/** Runs one action on many rows. A failed row does not stop the others. */
export const runBulk = async <Row>(bulk: Bulk<Row>): Promise<BulkProgress<Row>> => {
  const { rows, run, onProgress, signal } = bulk;
  const waiting = rows[Symbol.iterator]();
  let progress: BulkProgress<Row> = { total: rows.length, done: 0, failed: [] };
  const report = (next: Partial<BulkProgress<Row>>) => {
    progress = { ...progress, ...next };
    onProgress(progress);
  };
  const work = async () => {
    for (const row of waiting) {
      if (signal.aborted) return;
      try {
        await run(row);
        report({ done: progress.done + 1 });
      } catch (error) {
        report({ failed: [...progress.failed, { row, error }] });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return progress;
};
