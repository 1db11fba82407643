import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { describe, expect, test } from "vitest";
import { explain } from "./explain.ts";

describe("the advice for an error", () => {
  test.each([
    [{ status: 0 }, "Check your connection and that the gateway is running, then try again."],
    [{ status: 200 }, "This reply did not come from Latchkey. Check the proxy in front of it."],
    [{ status: 429, retryAfterSeconds: 1 }, "Wait 1 second, then try again."],
    [{ status: 429, retryAfterSeconds: 8 }, "Wait 8 seconds, then try again."],
    [{ status: 429, retryAfterSeconds: 841 }, "Wait 15 minutes, then try again."],
    [{ status: 403 }, "Ask an admin who has this permission."],
    [
      { status: 400, body: { code: "ORGANIZATION_NOT_FOUND" } },
      "It may have been deleted, or the feature may be off.",
    ],
    [
      { status: 400, body: { issues: [{ path: "email", message: "must not be empty" }] } },
      "email: must not be empty.",
    ],
    [
      { status: 400, body: { code: "YOU_CANNOT_REMOVE_THE_LAST_ADMIN" } },
      "Make another user an admin first.",
    ],
    [{ status: 400, body: { message: "Slug is taken" } }, "Choose another slug."],
    [{ status: 400, body: { code: "PASSWORD_TOO_SHORT" } }, "Choose a longer password."],
    [
      { status: 500, requestId: "r-1" },
      "Try again. If it keeps failing, check the service logs. Request ID: r-1.",
    ],
    [
      { status: 503, retryAfterSeconds: 7, requestId: "r-1" },
      "Wait 7 seconds, then try again. A service may be down. See Home. Request ID: r-1.",
    ],
    [
      { status: 502, requestId: "r-1" },
      "Wait a moment, then try again. A service may be down. See Home. Request ID: r-1.",
    ],
    [
      { status: 500, requestId: "r-1", body: { code: "TWO_FACTOR_REQUIRED" } },
      "Your role requires a second factor. Request ID: r-1.",
    ],
  ])("%j", (detail, advice) => {
    expect(explain(new ApiError(detail)).advice).toBe(advice);
  });

  test("explains failures without a reply", () => {
    expect(explain(new ApiError({ status: 0 })).message).toBe("Latchkey is not responding.");
    expect(explain(new TypeError("boom"))).toEqual({
      message: "This page has failed.",
      advice: "Refresh the page. If it keeps failing, report the error.",
    });
  });

  test("keeps the message of the server unchanged", () => {
    const error = new ApiError({ status: 403, body: { message: "Nobody may do this!" } });
    expect(explain(error).message).toBe("Nobody may do this!");
  });
});
