import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { expect, test } from "vitest";
import type { CodeKind } from "./code-kinds.ts";
import { endOf } from "./end-of.ts";

test.each<[status: number, code: string, kind: CodeKind, end: ReturnType<typeof endOf>]>([
  [401, "INVALID_TWO_FACTOR_COOKIE", "app", "expired"],
  [401, "UNAUTHORIZED", "app", "expired"],
  [400, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "app", "tooMany"],
  [400, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "mail", undefined],
  [401, "INVALID_CODE", "app", undefined],
])("%i %s for a code of the kind %s means the end %s", (status, code, kind, end) => {
  expect(endOf(new ApiError({ status, body: { code } }), kind)).toBe(end);
});

test("a failed connection is no end", () => {
  expect(endOf(new ApiError({ status: 0, cause: new Error("offline") }), "app")).toBeUndefined();
});
