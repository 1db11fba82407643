import { allOperations, errorCatalogue, type Operation, wireCode } from "@latchkey/contracts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { json, type RawAnswer, type RawRequest, sendRaw } from "./send-raw.ts";

const runsMax = 100;
const secondsMax = 5;

let stack: Stack;
let people = 0;
beforeAll(async () => {
  stack = await startStack({ stores: "redis", config: { logger: { level: "silent" } } });
});
afterAll(() => stack.stop());

const open = allOperations.filter(({ exposure }) => exposure === "public");

/** Texts that have broken parsers, stores and templates before. */
const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "a\udc00b",
    "\uffff\ufffe",
    "\u202eabc",
    "\r\nset-cookie: a=b",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "NaN",
    "true",
    "-0",
    "1e999",
    "' or 1=1 --",
    "${7*7}{{7*7}}",
    "../../etc/passwd",
    "ada@example.com",
    "https://evil.com",
    "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFkYUBleGFtcGxlLmNvbSJ9.",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.nat({ max: 3 }).map((power) => "x".repeat(10 ** (power + 2))),
);

const deep = fc.nat({ max: 3 }).map((power) => {
  let nested: unknown = 1;
  for (let level = 0; level < 10 ** power; level++)
    nested = level % 2 === 0 ? [nested] : { a: nested };
  return nested;
});

const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1e308, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: deep },
);

/** What gets past a first check, so that what is wrong beside it goes further in. */
const rightValues: Record<string, fc.Arbitrary<unknown>> = {
  name: fc.constant("Ada"),
  email: fc.nat({ max: 999_999_999 }).map((number) => `some-${number}@example.com`),
  password: fc.constant("correct horse battery"),
  callbackURL: fc.constant("/welcome"),
  rememberMe: fc.boolean(),
};

/** A body in the shape of a schema, its members right, wrong, missing or surplus. */
const shaped = (schema: Operation["body"]) => {
  const names = [...Object.keys(schema?.shape ?? {}), "extra"];
  const members = names.map((name) => {
    const right = rightValues[name] ?? hostileText;
    return [
      name,
      fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: hostileValue }),
    ] as const;
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(Object.fromEntries(members)) },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: [] }) },
  );
};

/** JSON text, in which a member may be named `__proto__` and a text may end in half a character. */
const bodyText = (operation: Operation) =>
  fc
    .tuple(shaped(operation.body), hostileValue, fc.nat({ max: 9 }))
    .map(([body, other, choice]) => {
      if (choice === 0) return JSON.stringify(other);
      const text = JSON.stringify(body);
      if (choice > 2) return text;
      const poison = `"__proto__":${JSON.stringify(other)},"__proto__":{"admin":true}`;
      return text === "{}" ? `{${poison}}` : `${text.slice(0, -1)},${poison}}`;
    });

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const queryText = (operation: Operation) => {
  const name = fc.constantFrom(
    ...Object.keys(operation.query?.shape ?? {}),
    ...(operation.redirects ?? []),
    "__proto__",
    "constructor",
    "a",
  );
  const value = fc.oneof(
    hostileText.map((text) => encode(text.slice(0, 1000))),
    fc.constantFrom("%", "%zz", "%ff", "%00", "%c0%af", "+", "=", "a=b=c", "%u0041", "[]", "[a]=b"),
  );
  const pair = fc.tuple(name, fc.constantFrom("=", "", "[]=", "==", "%00="), value);
  return fc
    .array(pair, { maxLength: 6 })
    .map((pairs) => pairs.map((parts) => parts.join("")).join("&"));
};

const contentType = fc.constantFrom(
  undefined,
  "",
  "application/json",
  "application/json; charset=utf-16",
  "application/json;;;",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"x".repeat(300)}`,
  "text/plain",
  "application/octet-stream",
  "/",
  "a/b/c",
);

/** Bytes that are, or nearly are, what their content type says. */
const rawBody = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      "--x\r\n\r\n--x--",
      '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\na\r\n--x--\r\n',
      '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\na\r\n--x--\r\n',
      '--x\r\ncontent-disposition: form-data; name="email"; filename="\0"\r\n\r\n\xff\r\n--x--\r\n',
      "email=%ff%00&email=%&=&__proto__=a&%=%",
      '{"email":"a@example.com"',
      '{"email":"\\ud800","password":"\\udc00\\u0000"}',
      "[".repeat(100_000),
      "\ufeff{}",
    )
    .map((text) => Buffer.from(text, "latin1")),
);

const session = async (): Promise<string> => {
  const email = `person-${++people}@example.com`;
  const answer = await sendRaw(stack.origin, {
    ...json({ name: "Ada", email, password: "correct horse battery" }),
    target: "/api/auth/sign-up/email",
  });
  return answer.cookies[0]?.split(";")[0] ?? "";
};

const transportCodes = [
  "VALIDATION_ERROR",
  "BODY_TOO_LARGE",
  "UNAUTHORIZED",
  "SESSION_IS_NOT_FRESH",
  "INVALID_ORIGIN",
] as const;

/** An error has the envelope and a code that the operation declares, and shows no inside. */
const expectDocumented = (operation: Operation, answer: RawAnswer) => {
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 302) {
    expect(operation.mayRedirect).toBe(true);
    return expect(answer.headers.location).toMatch(/^\/(?![/\\])/);
  }
  if (answer.status === 200) return;
  expect(answer.headers["content-type"]).toBe("application/json");
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(["code", "message", "issues"]).toEqual(expect.arrayContaining(Object.keys(body)));
  const own = operation.errors.map((error) => (typeof error === "string" ? error : error[0]));
  const declared = [...transportCodes, ...own];
  expect(declared.map(wireCode)).toContain(body["code"]);
  const known = Object.values(errorCatalogue).some(({ status }) => status === answer.status);
  expect(known).toBe(true);
  expect(answer.text).not.toMatch(
    /node_modules|\bat .+:\d+:\d+|postgres|redis|ECONN|select |insert /i,
  );
  expect(answer.cookies).toEqual([]);
};

const check = async (operation: Operation, request: fc.Arbitrary<RawRequest>) => {
  const cookie = await session();
  const asked = fc.tuple(request, fc.boolean());
  await fc.assert(
    fc.asyncProperty(asked, async ([raw, signedIn]) => {
      const headers = { ...raw.headers, ...(signedIn ? { cookie } : {}) };
      expectDocumented(operation, await sendRaw(stack.origin, { ...raw, headers }));
    }),
    { numRuns: runsMax, interruptAfterTimeLimit: secondsMax * 1000, endOnFailure: true },
  );
};

const targetOf = ({ path }: Operation, query = "") =>
  `/api/auth${path}${query === "" ? "" : `?${query}`}`;

// On failure fast-check prints the seed and the path that lead to the request again.
describe.each(open)("$name answers anything with a documented answer", (operation) => {
  const { method } = operation;

  test("whatever its query holds", () =>
    check(
      operation,
      queryText(operation).map((query) => ({ method, target: targetOf(operation, query) })),
    ));

  if (method === "GET") return;

  test("whatever its body holds in the shape that it asks for", () =>
    check(
      operation,
      bodyText(operation).map((body) => ({
        method,
        target: targetOf(operation),
        headers: { "content-type": "application/json" },
        body,
      })),
    ));

  test("whatever bytes come under whatever media type", () =>
    check(
      operation,
      fc.tuple(contentType, rawBody).map(([type, body]) => ({
        method,
        target: targetOf(operation),
        headers: type === undefined ? {} : { "content-type": type },
        body,
      })),
    ));
});

describe("any path answers", () => {
  const segment = fc.oneof(
    fc.constantFrom("", ".", "..", "api", "auth", "ok", ";a=b"),
    fc.constantFrom("%2e", "%2f", "%5c", "%00", "%", "%zz"),
    fc.stringMatching(/^[!-~]{0,12}$/),
  );
  const printable = (path: string) => path.replaceAll(/[^!-~]/g, "");

  test("with 404 and no body where nothing is declared", async () => {
    const declared = new Set(open.map(({ path }) => `/api/auth${path}`));
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 6 }),
        fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
        async (segments, method) => {
          const target = printable(`/${segments.join("/")}`);
          const path = decodeOrNothing(target.split("?")[0] ?? "").replace(/\/$/, "");
          fc.pre(!declared.has(path));
          const answer = await sendRaw(stack.origin, { method, target });
          expect([answer.status, answer.text]).toEqual([404, ""]);
        },
      ),
      { numRuns: 300, interruptAfterTimeLimit: secondsMax * 1000, endOnFailure: true },
    );
  });
});

const decodeOrNothing = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
};

test("after all that, the house answers as before", async () => {
  expect((await sendRaw(stack.origin, { target: "/api/auth/ok" })).text).toBe('{"ok":true}');
  const cookie = await session();
  const answer = await sendRaw(stack.origin, {
    target: "/api/auth/get-session",
    headers: { cookie },
  });
  expect(JSON.parse(answer.text)).toMatchObject({
    user: { email: `person-${people}@example.com` },
  });
  expect(({} as { admin?: unknown }).admin).toBeUndefined();
  for (const { url } of Object.values(stack.running.services))
    if (url !== stack.origin)
      expect((await sendRaw(url, { target: "/health/ready" })).status).toBe(200);
});
