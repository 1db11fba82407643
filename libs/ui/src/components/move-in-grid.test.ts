import { expect, test } from "vitest";
import { moveInGrid } from "./move-in-grid.ts";

/** A head and three rows. The last cell of the second row has two controls. */
const stops = [
  [["all"], ["sort"], ["head"]],
  [["box1"], ["link1"], ["more1"]],
  [["box2"], ["link2"], ["copy2", "more2"]],
  [["box3"], ["link3"], ["more3"]],
];

test.each([
  ["ArrowRight", "box1", "link1"],
  ["ArrowRight", "link2", "copy2"],
  ["ArrowRight", "copy2", "more2"],
  ["ArrowRight", "more2", "more2"],
  ["ArrowLeft", "more2", "copy2"],
  ["ArrowLeft", "copy2", "link2"],
  ["ArrowLeft", "box1", "box1"],
  ["ArrowDown", "sort", "link1"],
  ["ArrowDown", "more2", "more3"],
  ["ArrowDown", "more1", "copy2"],
  ["ArrowDown", "link3", "link3"],
  ["ArrowUp", "link1", "sort"],
  ["ArrowUp", "sort", "sort"],
  ["PageDown", "sort", "link2"],
  ["PageDown", "link2", "link3"],
  ["PageUp", "link3", "link1"],
  ["PageUp", "link1", "sort"],
  ["Home", "more2", "box2"],
  ["End", "box2", "more2"],
  ["Enter", "link1", undefined],
  ["a", "link1", undefined],
  ["ArrowDown", "elsewhere", undefined],
])("%s on %s leads to %s", (key, from, to) => {
  expect(moveInGrid(stops, from, { key, isFar: false, pageRows: 2 })).toBe(to);
});

test.each([
  ["Home", "link2", "all"],
  ["End", "link2", "more3"],
])("%s with Control on %s leads to %s", (key, from, to) => {
  expect(moveInGrid(stops, from, { key, isFar: true, pageRows: 2 })).toBe(to);
});
