import { describe, expect, test } from "vitest";
import { failureReason } from "./failure-reason.ts";

const token = "Ns7kQm2xVb9tLw4pRz8cHd3f";
const jwt = `eyJhbGciOiJIUzI1NiJ9.${"x7Kq2LmN".repeat(20)}.sgnTr_9-vWbQ2pLk`;
const inPath = `https://auth.example/api/auth/reset-password/${token}?callbackURL=%2Fhome`;
const inQuery = `https://auth.example:8443/api/auth/verify-email?token=${jwt}&callbackURL=%2Fhome`;

/** Attack: reading the link off the reason of a failure, without the right to open the mail. */
describe("the reason of a failure leaves out", () => {
  test.each([
    ["the link", inPath, `<${inPath}>`],
    ["the link in capitals", inPath, inPath.toUpperCase()],
    ["a link without its scheme", inPath, `auth.example/api/auth/reset-password/${token}`],
    ["a link with a scheme that opens nothing", inPath, inPath.replace("http", "hxxp")],
    ["a host that is made harmless", inPath, inPath.replace("auth.example", "auth[.]example")],
    ["the path", inPath, `/api/auth/reset-password/${token}`],
    ["the end of the path", inPath, `reset-password/${token}`],
    ["the bare token", inPath, `(token=${token})`],
    ["most of the token", inPath, `${token.slice(0, 20)}...`],
    ["a token in a query", inQuery, `"${jwt}"`],
    ["a query", inQuery, `?token=${jwt}`],
    ["the host", inQuery, "auth.example:8443"],
    ["a path whose secret is short", "https://app.example/join/a1b2", "/join/a1b2,"],
  ])("%s", (_what, link, quoted) => {
    const error = new Error(`550 5.7.1 ${quoted} is listed`);
    expect(failureReason(error, link)).toBe("550 5.7.1 [link] is listed");
  });

  test("a link that is broken into lines", () => {
    const lines = inQuery.match(/.{1,70}/gu) ?? [];
    const reason = failureReason(new Error(`550 ${lines.join("\n")} is listed`), inQuery);
    expect(reason).toBe(`550 ${lines.map(() => "[link]").join("\n")} is listed`);
  });
});

test.each([
  [inPath, "550 5.1.1 <ada@example.com>: no such user, see https://help.example/5.1.1"],
  [inQuery, "connect ECONNREFUSED 127.0.0.1:2525"],
  ["http://localhost:3000/reset?token=a", "connect ECONNREFUSED localhost:2525 / reset"],
  [undefined, `550 ${inPath}`],
])("what does not come from the link %s stays: %s", (link, text) => {
  expect(failureReason(new Error(text), link)).toBe(text);
});

test("a reason without end is told with its beginning, and a link at its cut not at all", () => {
  const reason = failureReason(`${"x".repeat(490)} ${inPath}`, inPath);
  expect(reason).toBe(`${"x".repeat(490)} [link]`);
});
