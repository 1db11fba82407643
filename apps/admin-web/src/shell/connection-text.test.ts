import { expect, test } from "vitest";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { connectionText } from "./connection-notice.tsx";

test.each([
  [[], ""],
  [[429, 429], "Too many requests. Trying again…"],
  [[429, 503], "A service is unavailable. Trying again…"],
  [[502], "A service is unavailable. Trying again…"],
  [[503, 0, 429], "Latchkey is not responding. Trying again…"],
])("reports the worst of the statuses %j", (statuses, text) => {
  expect(connectionText(statuses.map((status) => new ApiError({ status })))).toBe(text);
});
