import { describe, expect, test } from "vitest";
import { type BulkProgress, runBulk } from "./run-bulk.ts";

const rows = Array.from({ length: 10 }, (_, index) => index);
const never = new AbortController().signal;

describe("a bulk action", () => {
  test("runs once per row, four at a time, and reports its progress", async () => {
    const seen: number[] = [];
    let underWay = 0;
    let most = 0;
    const reports: BulkProgress<number>[] = [];
    const end = await runBulk({
      rows,
      run: async (row) => {
        most = Math.max(most, ++underWay);
        await Promise.resolve();
        seen.push(row);
        underWay--;
      },
      onProgress: (progress) => reports.push(progress),
      signal: never,
    });
    expect(end).toEqual({ total: 10, done: 10, failed: [] });
    expect(seen.toSorted((a, b) => a - b)).toEqual(rows);
    expect(most).toBe(4);
    expect(reports.map(({ done }) => done)).toEqual(rows.map((row) => row + 1));
  });

  test("reports a failure with its row and continues with the others", async () => {
    const end = await runBulk({
      rows,
      run: async (row) => {
        if (row % 5 === 0) throw new Error(`no ${row}`);
      },
      onProgress: () => {},
      signal: never,
    });
    expect(end.done).toBe(8);
    expect(end.failed.map(({ row, error }) => [row, (error as Error).message])).toEqual([
      [0, "no 0"],
      [5, "no 5"],
    ]);
  });

  test("starts nothing more after it is stopped", async () => {
    const stop = new AbortController();
    const end = await runBulk({
      rows,
      run: async (row) => {
        if (row === 3) stop.abort();
      },
      onProgress: () => {},
      signal: stop.signal,
    });
    expect(end.done + end.failed.length).toBeLessThan(10);
  });
});
