import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { guardLookup } from "./outbound.ts";

const publicly: LookupAddress[] = [
  { address: "2606:4700:4700::1111", family: 6 },
  { address: "1.1.1.1", family: 4 },
];
const privately: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];

/** Simulates a name server with a different result per query, and returns the guard's result. */
const resolve = (answers: LookupAddress[][], options: LookupOptions = { all: true }) => {
  let lookUpCount = 0;
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, answers[lookUpCount++] ?? []);
  let heard: unknown[] = [];
  guardLookup(lookup)("provider.test", options, (...given) => {
    heard = given;
  });
  return { heard, lookUpCount };
};

/** DNS rebinding: a name resolves to a public address when it is checked and to a private one when it is connected. */
test("connects only to the checked addresses of a single look-up", () => {
  expect(resolve([publicly, privately])).toEqual({ heard: [null, publicly], lookUpCount: 1 });
});

test("returns the first address if one is requested", () => {
  const { heard } = resolve([publicly], { all: false });
  expect(heard).toEqual([null, publicly[0]?.address, 6]);
});

test.each([
  ["is private", privately],
  ["is private next to public ones", [...publicly, ...privately]],
  ["is missing", []],
])("rejects a name if one of its addresses %s", (_case, answer) => {
  for (const all of [true, false]) {
    const [error, ...rest] = resolve([answer], { all }).heard;
    expect(error).toMatchObject({ reason: "not allowed" });
    expect(rest).toEqual([[]]);
  }
});
