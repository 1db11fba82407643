import { expect, test } from "vitest";
import { collectFile } from "./collect-file.ts";

/** Yields pages of consecutive numbers, and counts the requested ones. */
const numbered = (rowCount: number, pageSize: number) => {
  const fetched = { pages: 0 };
  async function* pages() {
    for (let from = 0; from < rowCount; from += pageSize) {
      fetched.pages += 1;
      yield Array.from({ length: Math.min(pageSize, rowCount - from) }, (_, step) => from + step);
    }
  }
  return { fetched, pages: pages() };
};

const collect = (
  pages: AsyncIterable<readonly number[]>,
  onProgress: (count: number) => void = () => {},
  max?: number,
) =>
  collectFile({
    type: "text/csv",
    head: "n\r\n",
    lineOf: (n: number) => `${n}\r\n`,
    pages,
    onProgress,
    ...(max !== undefined && { max }),
  });

test("writes a hundred thousand rows in their order, and reports its progress", async () => {
  const counts: number[] = [];
  const { file, count, isCut } = await collect(numbered(100_500, 1000).pages, (now) =>
    counts.push(now),
  );
  expect([count, isCut]).toEqual([100_500, false]);
  expect(counts).toHaveLength(101);
  expect(counts.at(-1)).toBe(100_500);
  const lines = (await file.text()).split("\r\n");
  expect(lines).toHaveLength(100_502);
  expect([lines[0], lines[1], lines.at(-2), lines.at(-1)]).toEqual(["n", "0", "100499", ""]);
});

test("writes the head alone if there are no rows", async () => {
  const { file, count } = await collect(numbered(0, 10).pages);
  expect([await file.text(), count]).toEqual(["n\r\n", 0]);
});

const max = 1000;

test("stops at the most rows of a file, and tells that there are more", async () => {
  const { fetched, pages } = numbered(max + 100, 40);
  const { count, isCut } = await collect(pages, undefined, max);
  expect([count, isCut, fetched.pages]).toEqual([max, true, max / 40 + 1]);
});

test("cuts nothing off if the rows just fit", async () => {
  const { count, isCut } = await collect(numbered(max, 100).pages, undefined, max);
  expect([count, isCut]).toEqual([max, false]);
});
