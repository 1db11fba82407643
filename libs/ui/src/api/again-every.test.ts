import { expect, test } from "vitest";
import { againEvery } from "./again-every.ts";
import { ApiError } from "./api-error.ts";

const next = (data: unknown, error: unknown) => againEvery(5000)({ state: { data, error } });
const status = (code: number) => new ApiError({ status: code });

test("repeats a request that succeeds", () => {
  expect(next(undefined, null)).toBe(5000);
  expect(next({}, null)).toBe(5000);
});

test.each([400, 401, 403, 404, 500])("stops on status %i, even with earlier data", (code) => {
  expect(next(undefined, status(code))).toBe(false);
  expect(next({}, status(code))).toBe(false);
});

test.each([0, 429, 503])("continues after status %i while earlier data is shown", (code) => {
  expect(next({}, status(code))).toBe(5000);
  expect(next(undefined, status(code))).toBe(false);
});
