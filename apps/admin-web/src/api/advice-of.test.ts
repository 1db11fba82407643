import { type ErrorCode, errorCatalogue, wireCode } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { adviceByCode, adviceOf, messageOf } from "./advice-of.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";

describe("the advice for an error", () => {
  test.each([
    [{ status: 0 }, "Check your connection and that the gateway is running, then try again."],
    [{ status: 200 }, "This reply did not come from Latchkey. Check the proxy in front of it."],
    [{ status: 429, retryAfterSeconds: 1 }, "Wait 1 second, then try again."],
    [{ status: 429, retryAfterSeconds: 8 }, "Wait 8 seconds, then try again."],
    [{ status: 429, retryAfterSeconds: 841 }, "Wait 15 minutes, then try again."],
    [{ status: 403 }, "Ask an admin who has this permission."],
    [
      { status: 400, body: { issues: [{ path: "email", message: "must not be empty" }] } },
      "email: must not be empty.",
    ],
    [
      { status: 400, body: { code: "YOU_CANNOT_REMOVE_THE_LAST_ADMIN" } },
      "Make another user an admin first.",
    ],
    [
      { status: 400, body: { message: "Missing CAPTCHA response" } },
      "This installation requires a captcha to sign in. Sign in to your application first, then come back to this page.",
    ],
    [
      { status: 500, requestId: "r-1" },
      "Try again. If it keeps failing, check the service logs. Request ID: r-1.",
    ],
  ])("%j", (detail, advice) => {
    expect(adviceOf(new ApiError(detail))).toBe(advice);
  });

  test("every code with advice is in an error catalogue", () => {
    const answered = Object.keys(errorCatalogue).map((code) => wireCode(code as ErrorCode));
    expect(answered).toEqual(expect.arrayContaining(Object.keys(adviceByCode)));
  });

  test("explains failures without a reply", () => {
    expect(messageOf(new ApiError({ status: 0 }))).toBe("Latchkey is not responding.");
    expect(messageOf(new TypeError("boom"))).toBe("This page has failed.");
    expect(adviceOf(new TypeError("boom"))).toBe(
      "Refresh the page. If it keeps failing, report the error.",
    );
  });

  test("keeps the message of the catalogue unchanged", () => {
    const error = new ApiError({ status: 403, body: { message: "Nobody may do this!" } });
    expect(messageOf(error)).toBe("Nobody may do this!");
  });
});
