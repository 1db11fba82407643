import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Operation } from "@latchkey/contracts";
import { type Column, columns, type IsWanted, type Observed } from "./observe.ts";
import { observable } from "./world.ts";

const path = join(import.meta.dirname, "..", "..", "..", "..", "docs", "degradation.md");
const [begin, end] = ["<!-- observed -->", "<!-- end of what was observed -->"];

/** The combination does not exist: an operation of the gateway has no Postgres, and internal operations are not public. */
const nothing = "–";

/** The name of an operation on the page, such as `GET /ok`. */
export const nameOnPage = ({ method, exposure, path: address }: Operation): string =>
  `${method} ${exposure === "internal" ? "/internal" : ""}${address}`;

const cellsOf = (observed: Observed, { name }: Operation): string[] =>
  columns.map((column) => observed.get(name)?.get(column) ?? nothing);

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** One row for all operations with equal answers. */
const tableOf = (observed: Observed, owned: readonly Operation[]): string => {
  const alike = Map.groupBy(owned, (operation) => rowOf(cellsOf(observed, operation)));
  const rows = [...alike].map(
    ([cells, those]) => `| ${those.map((one) => `\`${nameOnPage(one)}\``).join(", ")} ${cells}`,
  );
  const head = [rowOf(["", ...columns]), rowOf(["---", ...columns.map(() => "---")])];
  return [...head, ...rows].join("\n");
};

const partsOf = async (): Promise<[before: string, table: string, after: string]> => {
  const text = await readFile(path, "utf8");
  const [before = "", rest = ""] = text.split(begin);
  const [table = "", after = ""] = rest.split(end);
  return [before, table, after];
};

/** Replaces the tables of the page. */
export const writeTables = async (observed: Observed): Promise<void> => {
  const byOwner = Map.groupBy(observable, ({ owner }) => owner);
  const tables = [...byOwner].map(
    ([owner, owned]) => `### Operations of ${owner}\n\n${tableOf(observed, owned)}\n`,
  );
  const [before, , after] = await partsOf();
  await writeFile(path, `${before}${begin}\n\n${tables.join("\n")}\n${end}${after}`);
};

/** Returns every cell of the page, by call and column, such as `GET /ok`. */
export const readTables = async (): Promise<Map<string, Record<string, string>>> => {
  const [, text] = await partsOf();
  const read = new Map<string, Record<string, string>>();
  let names: string[] = [];
  for (const line of text.split("\n").filter((one) => one.startsWith("| "))) {
    const [first = "", ...cells] = line.slice(2, -2).split(" | ");
    if (first === "") names = cells;
    for (const [, call = ""] of first.matchAll(/`([^`]+)`/g)) {
      if (read.has(call)) throw new Error(`${call} stands in two rows`);
      read.set(call, Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
    }
  }
  return read;
};

/** Returns the first, the middle and the last operation of each row of the page. */
export const samplePage = async (): Promise<Operation[]> => {
  const byCall = new Map(observable.map((operation) => [nameOnPage(operation), operation]));
  const [, text] = await partsOf();
  return text.split("\n").flatMap((line) => {
    const calls = [...line.matchAll(/`([^`]+)`/g)].map(([, call = ""]) => call);
    const [first, middle, last] = [calls[0], calls[calls.length >> 1], calls.at(-1)];
    return [...new Set([first, middle, last])].flatMap((call = "") => byCall.get(call) ?? []);
  });
};

/** Whether the page differs from the observation for an operation and a column. */
export const differsFrom =
  (page: Awaited<ReturnType<typeof readTables>>, observed: Observed): IsWanted =>
  (operation, column) => {
    const seen = observed.get(operation.name)?.get(column) ?? nothing;
    return page.get(nameOnPage(operation))?.[column] !== seen;
  };

/** Returns the observed cells of operations in the form of `readTables`. */
export const cellsByCall = (
  observed: Observed,
  operations: readonly Operation[],
): Map<string, Record<string, string>> =>
  new Map(
    operations.map((operation) => {
      const cells = cellsOf(observed, operation);
      const named = columns.map((column: Column, index) => [column, cells[index] ?? ""] as const);
      return [nameOnPage(operation), Object.fromEntries(named)];
    }),
  );
