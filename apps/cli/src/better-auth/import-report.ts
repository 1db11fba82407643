import type { ImportedBatch, ImportCounts, ImportNote } from "@latchkey/service-kit/import";
import { createOwnFile } from "../terminal/open-output.ts";
import { createLineWriter } from "../terminal/write-lines.ts";

type Counts = Pick<ImportedBatch, "added" | "changed" | "same" | "removed"> & { left: number };

/** The report of a run: totals, reasons, and a line per row if a file is requested. */
export interface ImportReport {
  add(model: string, batch: ImportedBatch): Promise<void>;
  /** Adds a remark about the whole import. */
  remark(text: string): void;
  counts(): ImportCounts;
  describe(): string;
  end(): Promise<void>;
}

const openFile = async (path: string) => {
  const file = await createOwnFile(path);
  const lines = createLineWriter(file.createWriteStream({ autoClose: false }));
  return {
    write: (line: object) => lines.write(JSON.stringify(line)),
    end: async () => {
      await lines.end();
      await file.close();
    },
  };
};

const columns = ["added", "changed", "same", "removed", "left"] as const;
const width = 11;

const describeReasons = (title: string, reasons: ReadonlyMap<string, number>): string[] =>
  reasons.size === 0
    ? []
    : [
        "",
        title,
        ...[...reasons].map(([reason, count]) => `  ${String(count).padStart(8)}  ${reason}`),
      ];

/** Creates a report that collects the outcomes of batches. */
export const createImportReport = async (path: string | undefined): Promise<ImportReport> => {
  const file = path === undefined ? undefined : await openFile(path);
  const sums = new Map<string, Counts>();
  const reasons = { left: new Map<string, number>(), noted: new Map<string, number>() };
  const remarks: string[] = [];
  const record = async (model: string, kind: keyof typeof reasons, { key, reason }: ImportNote) => {
    const text = `${model}: ${reason}`;
    reasons[kind].set(text, (reasons[kind].get(text) ?? 0) + 1);
    await file?.write({ model, key, brought: kind === "noted", reason });
  };
  return {
    add: async (model, batch) => {
      const sum = sums.get(model) ?? { added: 0, changed: 0, same: 0, removed: 0, left: 0 };
      for (const name of ["added", "changed", "same", "removed"] as const) sum[name] += batch[name];
      sum.left += batch.left.length;
      sums.set(model, sum);
      for (const row of batch.left) await record(model, "left", row);
      for (const row of batch.noted) await record(model, "noted", row);
    },
    remark: (text) => remarks.push(text),
    counts: () =>
      Object.fromEntries(
        [...sums].map(([model, { added, changed, removed }]) => [
          model,
          { added, changed, removed },
        ]),
      ),
    describe: () => {
      const row = (cells: (string | number)[]) =>
        cells
          .map((cell, index) =>
            index === 0 ? String(cell).padEnd(14) : String(cell).padStart(width),
          )
          .join("");
      const lines = [
        row(["", "brought", "followed", "unchanged", "removed", "left out"]),
        ...[...sums].map(([model, sum]) => row([model, ...columns.map((name) => sum[name])])),
        ...describeReasons("Left out:", reasons.left),
        ...describeReasons("Brought, but:", reasons.noted),
        ...(remarks.length === 0 ? [] : ["", ...remarks]),
      ];
      return `${lines.join("\n")}\n`;
    },
    end: async () => file?.end(),
  };
};
