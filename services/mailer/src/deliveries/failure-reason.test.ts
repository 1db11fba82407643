import { describe, expect, test } from "vitest";
import { failureReason } from "./failure-reason.ts";

const token = "Ns7kQm2xVb9tLw4pRz8cHd3f";
const jwt = `eyJhbGciOiJIUzI1NiJ9.${"x7Kq2LmN".repeat(20)}.sgnTr_9-vWbQ2pLk`;
const inPath = `https://auth.example/api/auth/reset-password/${token}?callbackURL=%2Fhome`;
const inQuery = `https://auth.example:8443/api/auth/verify-email?token=${jwt}&callbackURL=%2Fhome`;

/** Attack: the link is read from the failure reason, without the right to read the mail. */
describe("the reason of a failure leaves out", () => {
  test.each([
    ["the link", inPath, `<${inPath}>`],
    ["the link in capitals", inPath, inPath.toUpperCase()],
    ["a link without its scheme", inPath, `auth.example/api/auth/reset-password/${token}`],
    ["a link with a defanged scheme", inPath, inPath.replace("http", "hxxp")],
    ["a defanged host", inPath, inPath.replace("auth.example", "auth[.]example")],
    ["the path", inPath, `/api/auth/reset-password/${token}`],
    ["the end of the path", inPath, `reset-password/${token}`],
    ["the bare token", inPath, `(token=${token})`],
    ["most of the token", inPath, `${token.slice(0, 20)}...`],
    ["a token in a query", inQuery, `"${jwt}"`],
    ["a query", inQuery, `?token=${jwt}`],
    ["the host", inQuery, "auth.example:8443"],
    ["a path with a short secret", "https://app.example/join/a1b2", "/join/a1b2,"],
  ])("%s", (_what, link, quoted) => {
    const error = new Error(`550 5.7.1 ${quoted} is listed`);
    expect(failureReason(error, { link })).toBe("550 5.7.1 [link] is listed");
  });

  test("a link with line breaks", () => {
    const lines = inQuery.match(/.{1,70}/gu) ?? [];
    const error = new Error(`550 ${lines.join("\n")} is listed`);
    const reason = failureReason(error, { link: inQuery });
    expect(reason).toBe(`550 ${lines.map(() => "[link]").join("\n")} is listed`);
  });
});

test.each([
  [inPath, "550 5.1.1 <ada@example.com>: no such user, see https://help.example/5.1.1"],
  [inQuery, "connect ECONNREFUSED 127.0.0.1:2525"],
  ["http://localhost:3000/reset?token=a", "connect ECONNREFUSED localhost:2525 / reset"],
  [undefined, `550 ${inPath}`],
])("keeps text that is not part of the link %s: %s", (link, text) => {
  expect(failureReason(new Error(text), { link })).toBe(text);
});

/** Attack: a code is read from the failure reason, without the right to read the mail. */
test.each([
  ["a code", "550 code 482913 is listed", "550 code [code] is listed"],
  ["a code in a word", 'in "x482913."', 'in "x[code]."'],
  ["a grouped code", "550 482 913", "550 [code]"],
  ["a code with a line break", "550 4829\n13", "550 [code]"],
  ["most of a code", "550 4829...", "550 [code]"],
])("the reason of a failure leaves out %s", (_what, quoted, reason) => {
  expect(failureReason(new Error(quoted), { code: "482913" })).toBe(reason);
});

test("keeps text that is not part of the code", () => {
  const text = "connect ECONNREFUSED 127.0.0.1:2525, 913 482";
  expect(failureReason(new Error(text), { code: "482913" })).toBe(text);
});

test("truncates a long reason without a partial link", () => {
  const reason = failureReason(`${"x".repeat(490)} ${inPath}`, { link: inPath });
  expect(reason).toBe(`${"x".repeat(490)} [link]`);
});

/** Attack: the SMTP password is read from the failure reason, in which the server quotes it. */
describe("the reason of a failure leaves out", () => {
  const user = "post+1@shop";
  const password = "p@ss word/S3cret-of-the-server";
  const smtpUrl = `smtps://${encodeURIComponent(user)}:${encodeURIComponent(password)}@smtp.example:465/`;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  test.each([
    ["the password", password],
    ["the password as encoded in the URL", encodeURIComponent(password)],
    ["the end of the password", password.slice(9)],
    ["the password of AUTH LOGIN", base64(password)],
    ["all of AUTH PLAIN", base64(`\0${user}\0${password}`)],
    ["the beginning of AUTH PLAIN", base64(`\0${user}\0${password}`).slice(0, 30)],
    ["the user", user],
    ["the user as encoded in the URL", encodeURIComponent(user)],
    ["the user of AUTH LOGIN", base64(user)],
  ])("%s", (_what, quoted) => {
    const reason = failureReason(new Error(`421 bad command ${quoted} here`), { smtpUrl });
    expect(reason).toMatch(/^421 bad command (?:\S+ )?\[credentials\]=* here$/);
    for (const part of [user, "S3cret", base64(password).slice(0, 16)])
      expect(reason).not.toContain(part);
  });

  test("the server's text about a rejected sign-in", () => {
    const failure = (message: string, told: object) =>
      failureReason(Object.assign(new Error(message), { code: "EAUTH", ...told }), { smtpUrl });
    const refused = "the SMTP server rejected the sign-in: EAUTH";
    const answers = { response: "535 p4ss", responseCode: 535 };
    expect(failure("Invalid login: 535 p4ss", answers)).toBe(`${refused} 535`);
    expect(failure("Invalid login: p4ss", { response: "p4ss" })).toBe(refused);
    expect(failure('Missing credentials for "PLAIN"', {})).toBe('Missing credentials for "PLAIN"');
  });

  test("only whole words that equal the user", () => {
    const mail = { smtpUrl: "smtp://user@smtp.example" };
    const error = new Error("550 no such user, users, or superuser");
    expect(failureReason(error, mail)).toBe("550 no such [credentials], users, or superuser");
    expect(failureReason(error, { smtpUrl: "smtp://smtp.example" })).toBe(error.message);
  });
});

/** Attack: a server's reply contains text that the database rejects, so that the mail is never settled. */
test.each([
  ["control characters", "550 no\0 such\u001b[31m\r\nuser\u0085", "550 no� such�[31m�\nuser�"],
  ["half a character", "550 \ud83d", "550 �"],
  ["a surrogate pair at the cut", `${"a".repeat(499)}😀`, `${"a".repeat(499)}�`],
])("replaces %s in a reason", (_what, text, reason) => {
  expect(failureReason(new Error(text), {})).toBe(reason);
});
