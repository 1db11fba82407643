import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { connectionText } from "./connection-text.ts";

test.each([
  [[], ""],
  [[429, 429], "Too many requests were made at once. Trying again…"],
  [[429, 503], "A service is away or has too much to do. Trying again…"],
  [[502], "A service is away or has too much to do. Trying again…"],
  [[503, 0, 429], "Latchkey does not answer. Trying again…"],
])("reports the worst of the statuses %j", (statuses, text) => {
  expect(connectionText(statuses.map((status) => new ApiError({ status })))).toBe(text);
});
