import { expect, test } from "vitest";
import { deliveryDays, figureOf, type HourFigures, valuesOf } from "./delivery-days.ts";

const hour = (text: string, own: Partial<HourFigures> = {}): HourFigures => ({
  hour: `${text}:00:00.000Z`,
  delivered: 0,
  failedAttempts: 0,
  answered: 0,
  meanMilliseconds: 0,
  maxMilliseconds: 0,
  ...own,
});

const days = deliveryDays([
  hour("2026-02-28T23", {
    delivered: 3,
    failedAttempts: 5,
    answered: 3,
    meanMilliseconds: 100,
    maxMilliseconds: 140,
  }),
  hour("2026-03-01T00", { delivered: 1, answered: 1, meanMilliseconds: 20, maxMilliseconds: 20 }),
  hour("2026-03-01T01"),
  hour("2026-03-01T02", {
    failedAttempts: 3,
    answered: 3,
    meanMilliseconds: 40,
    maxMilliseconds: 60,
  }),
]);

test("sums up the hours of each day, and weighs means by the number of responses", () => {
  expect(days).toEqual([
    {
      day: "2026-02-28",
      delivered: 3,
      failedAttempts: 5,
      answered: 3,
      meanMilliseconds: 100,
      maxMilliseconds: 140,
    },
    {
      day: "2026-03-01",
      delivered: 1,
      failedAttempts: 3,
      answered: 4,
      meanMilliseconds: 35,
      maxMilliseconds: 60,
    },
  ]);
  expect(valuesOf(days, "delivered")).toEqual([
    { day: "2026-02-28", value: 3 },
    { day: "2026-03-01", value: 1 },
  ]);
});

test("returns figures of the whole period, and zeros without attempts", () => {
  expect(figureOf(days, "failedAttempts")).toBe(8);
  expect(figureOf(days, "meanMilliseconds")).toBe(63);
  expect(figureOf(days, "maxMilliseconds")).toBe(140);
  expect(figureOf(deliveryDays([hour("2026-03-01T00")]), "meanMilliseconds")).toBe(0);
});
