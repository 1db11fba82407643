import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { guardLookup } from "./guarded-lookup.ts";

const publicly: LookupAddress[] = [
  { address: "2606:4700:4700::1111", family: 6 },
  { address: "1.1.1.1", family: 4 },
];
const privately: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];

/** A name server that answers each question differently, and what a connection gets to hear through the guard. */
const resolve = (answers: LookupAddress[][], options: LookupOptions = { all: true }) => {
  let asked = 0;
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, answers[asked++] ?? []);
  let heard: unknown[] = [];
  guardLookup(lookup)("provider.test", options, (...given) => {
    heard = given;
  });
  return { heard, asked };
};

/** DNS rebinding: a name that is public when it is checked and private when it is connected to. */
test("a connection gets the addresses that were checked, looked up once", () => {
  expect(resolve([publicly, privately])).toEqual({ heard: [null, publicly], asked: 1 });
});

test("a connection that takes one address gets the first", () => {
  const { heard } = resolve([publicly], { all: false });
  expect(heard).toEqual([null, publicly[0]?.address, 6]);
});

test.each([
  ["is private", privately],
  ["is private beside public ones", [...publicly, ...privately]],
  ["is missing", []],
])("a name of which an address %s gives a connection none", (_case, answer) => {
  for (const all of [true, false]) {
    const [error, ...rest] = resolve([answer], { all }).heard;
    expect(error).toMatchObject({ reason: "not allowed" });
    expect(rest).toEqual([[]]);
  }
});
