import type { LatchkeyConfig, Operation } from "@latchkey/contracts";
import fc from "fast-check";
import type { z } from "zod";

/** Names that every JavaScript object has, although no user defined them. */
const prototypeNames = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

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
    ...prototypeNames,
    "null",
    "undefined",
    "NaN",
    "true",
    "-0",
    "1e999",
    "' or 1=1 --",
    "%_\\",
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

const hostileNumber = fc.constantFrom(
  0,
  -1,
  0.1,
  5e-324,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
);

const deep = fc.nat({ max: 3 }).map((power) => {
  let nested: unknown = 1;
  for (let level = 0; level < 10 ** power; level++)
    nested = level % 2 === 0 ? [nested] : { a: nested };
  return nested;
});

const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: deep },
);

/** An additional field of every type, and some that clients may not set or see. */
export const additionalFields = {
  note: { type: "string", required: false },
  amount: { type: "number", required: false },
  wanted: { type: "boolean", required: false },
  since: { type: "date", required: false },
  words: { type: "string[]", required: false },
  sizes: { type: "number[]", required: false },
  plan: { type: ["free", "paid"], defaultValue: "free" },
  code: { type: "string", required: false, unique: true },
  secret: { type: "string", required: false, returned: false },
  internal: { type: "number", input: false, defaultValue: 1 },
  constructor: { type: "string", required: false },
} as const satisfies NonNullable<LatchkeyConfig["user"]>["additionalFields"];

const fieldNames = Object.keys(additionalFields);
const columns = ["id", "email", "name", "role", "emailVerified", "banned", "createdAt", "password"];
const names = fc.oneof(fc.constantFrom(...columns, ...fieldNames, ...prototypeNames), hostileText);
const operators = "eq ne lt lte gt gte in contains starts_with ends_with".split(" ");
const roles = fc.constantFrom("user", "admin", "user,admin", "owner", "", ...prototypeNames);

const permissions = fc.dictionary(
  fc.constantFrom("user", "session", "other", ...prototypeNames),
  fc.array(fc.constantFrom("list", "ban", "other", ...prototypeNames), { maxLength: 3 }),
);

const numberText = fc.oneof(
  fc.constantFrom("0", "1", "-1", "1.5", "1e3", "9007199254740993", "99999999999999999999", " 1"),
  hostileText,
);

/** Values that pass a first check, so that invalid values beside them get further. */
const rightValues = {
  name: fc.constant("Ada"),
  email: fc.nat({ max: 999_999_999 }).map((number) => `some-${number}@example.com`),
  newEmail: fc.nat({ max: 999_999_999 }).map((number) => `new-${number}@example.com`),
  username: fc.nat({ max: 999_999_999 }).map((number) => `some_${number}`),
  password: fc.constant("correct horse battery"),
  currentPassword: fc.constant("correct horse battery"),
  newPassword: fc.constant("correct horse battery"),
  image: fc.constantFrom(null, "https://example.com/ada.png"),
  callbackURL: fc.constant("/welcome"),
  redirectTo: fc.constant("/welcome"),
  rememberMe: fc.boolean(),
  revokeOtherSessions: fc.boolean(),
  banExpiresIn: hostileNumber,
  forceAllowId: fc.boolean(),
  providerId: fc.constantFrom("credential", "github"),
  role: fc.oneof(roles, fc.array(roles, { maxLength: 3 })),
  permissions,
  permission: permissions,
  data: fc.dictionary(names, hostileValue, { maxKeys: 4 }),
  model: fc.constantFrom("user", "account", "session", ...prototypeNames),
  where: fc.array(
    fc.record(
      {
        field: names,
        operator: fc.constantFrom(...operators, ...prototypeNames),
        value: hostileValue,
      },
      { requiredKeys: ["field"] },
    ),
    { maxLength: 3 },
  ),
  limit: fc.oneof(fc.nat({ max: 1000 }), numberText),
  offset: numberText,
  after: fc.constantFrom(
    null,
    "0:0:",
    "18446744073709551615:1:",
    "99999999999999999999:99999999999999999999:99999999999999999999",
  ),
  searchField: fc.constantFrom("email", "name", "any"),
  searchOperator: fc.constantFrom("contains", "starts_with", "ends_with"),
  filterField: names,
  filterOperator: fc.constantFrom(...operators.slice(0, 8)),
  filterValue: fc.oneof(fc.constantFrom("true", "1", "2026-01-02T03:04:05.678Z"), hostileText),
  sortBy: names,
  sortDirection: fc.constantFrom("asc", "desc"),
  note: fc.constant("a note"),
  amount: hostileNumber,
  wanted: fc.boolean(),
  since: fc.constantFrom("2026-01-02", "0000-01-01", "+275760-09-13T00:00:00.000Z", "2026-02-30"),
  words: fc.array(hostileText, { maxLength: 3 }),
  sizes: fc.array(hostileNumber, { maxLength: 3 }),
  plan: fc.constantFrom("free", "paid", ...prototypeNames),
  code: hostileText,
  prefix: fc.constantFrom("acme_", "-", ...prototypeNames),
  start: fc.constantFrom("a", "%", "_"),
  state: fc.constantFrom("enabled", "disabled", "expired"),
  expiresIn: fc.oneof(fc.constantFrom(null, 86_400, 604_800), hostileNumber),
  enabled: fc.boolean(),
  metadata: fc.oneof(fc.dictionary(names, hostileValue, { maxKeys: 4 }), hostileValue),
  remaining: fc.oneof(fc.constantFrom(null, 0, 5), hostileNumber),
  refillAmount: hostileNumber,
  refillInterval: hostileNumber,
  rateLimitEnabled: fc.boolean(),
  rateLimitTimeWindow: hostileNumber,
  rateLimitMax: hostileNumber,
  from: fc.constantFrom("2026-01-02", "0001-01-01", "9999-12-31", "2026-02-30"),
  to: fc.constantFrom("2026-02-01", "0001-01-01", "9999-12-31", "-000001-01-01"),
  method: fc.constantFrom("GET", "POST"),
  path: fc.constantFrom("/get-session", "/"),
} satisfies Record<string, fc.Arbitrary<unknown>>;

/** Values that exist only in a running system, such as a user's id, by the member's name. */
export type Known = Readonly<Record<string, string>>;

const rightValue = (name: string, known: Known): fc.Arbitrary<unknown> => {
  if (Object.hasOwn(known, name)) return fc.constant(known[name]);
  return Object.hasOwn(rightValues, name)
    ? rightValues[name as keyof typeof rightValues]
    : hostileText;
};

const memberNames = (schema: Operation["body"]): string[] => [
  ...Object.keys(schema?.shape ?? {}),
  ...(schema?.meta()?.["inputFieldsOf"] === "user" ? fieldNames : []),
];

/** A body in the shape of a schema, with valid, invalid, missing or surplus members. */
const shaped = (schema: Operation["body"], known: Known) => {
  const members = [...memberNames(schema), "extra"].map(
    (name) =>
      [
        name,
        fc.oneof(
          { weight: 5, arbitrary: rightValue(name, known) },
          { weight: 1, arbitrary: hostileValue },
        ),
      ] as const,
  );
  const record = Object.fromEntries(members);
  const needed = Object.keys(schema?.shape ?? {});
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(record, { requiredKeys: needed }) },
    { weight: 2, arbitrary: fc.record(record, { requiredKeys: [] }) },
  );
};

const worst: readonly unknown[] = [
  "\0",
  "\ud800",
  "",
  "__proto__",
  "x".repeat(100_000),
  1e308,
  -1,
  null,
  true,
  [],
  {},
  ["\0"],
  ["\ud800"],
  { constructor: "\0" },
];

/** The worst values that a member accepts, and one that it rejects: the same check rejects all of those. */
const worstOf = (shape: Record<string, z.ZodType>, name: string): readonly unknown[] => {
  const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (!member) return worst;
  const isAccepted = (value: unknown) => member.safeParse(value).success;
  const rejected = worst.find((value) => !isAccepted(value));
  return [...worst.filter(isAccepted), ...(rejected === undefined ? [] : [rejected])];
};

/**
 * Bodies with all required members, in which one member at a time has one of the worst values. Each member gets every `step`th
 * one, and neighbouring members get different ones.
 */
export const bodiesWithOneWrong = ({ body }: Operation, known: Known, step: number): unknown[] => {
  const shape: Record<string, z.ZodType> = body?.shape ?? {};
  const needed = Object.entries(shape).filter(([, member]) => !member.safeParse(undefined).success);
  const one = (wrong: string, value: unknown) =>
    Object.fromEntries([
      ...needed.map(([name]) => [name, fc.sample(rightValue(name, known), { numRuns: 1 })[0]]),
      [wrong, value],
    ]) as Record<string, unknown>;
  return memberNames(body).flatMap((wrong, place) =>
    worstOf(shape, wrong)
      .filter((_, index) => (index + place) % step === 0)
      .map((value) => one(wrong, value)),
  );
};

/**
 * JSON text. A member may be named `__proto__`, a number may be too large for a double, and a text may end in half a surrogate
 * pair.
 */
export const bodyText = (operation: Operation, known: Known = {}) =>
  fc
    .tuple(shaped(operation.body, known), hostileValue, fc.nat({ max: 9 }))
    .map(([body, other, choice]) => {
      if (choice === 0) return JSON.stringify(other);
      const text = JSON.stringify(body).replaceAll('"1e999"', "1e999");
      if (choice > 2) return text;
      const poison = `"__proto__":${JSON.stringify(other)},"__proto__":{"admin":true}`;
      return text === "{}" ? `{${poison}}` : `${text.slice(0, -1)},${poison}}`;
    });

const brokenEscapes = "% %zz %ff %00 %c0%af + = a=b=c %u0041 [] [a]=b".split(" ");

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const queryValue = (name: string, known: Known) =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .oneof(rightValue(name, known), hostileText)
        .map((value) => encode(String(value).slice(0, 1000))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...brokenEscapes),
    },
  );

/** A query of known and unknown names, well-formed or not. */
export const queryText = (operation: Operation, known: Known = {}) => {
  const declared = [
    ...Object.keys(operation.query?.shape ?? {}),
    ...(operation.redirects ?? []),
    "__proto__",
    "constructor",
    "a",
  ];
  const pairs = declared.map((name) =>
    fc
      .tuple(fc.constantFrom("=", "=", "", "[]=", "==", "%00="), queryValue(name, known))
      .map((parts) => name + parts.join("")),
  );
  return fc
    .oneof(
      fc.array(fc.oneof(...pairs), { maxLength: 6 }),
      fc.tuple(
        ...declared.map((name) => queryValue(name, known).map((value) => `${name}=${value}`)),
      ),
    )
    .map((parts) => parts.join("&"));
};

/** An operation's path, with any text for each `{name}`. Constant if there is none. */
export const pathText = ({ path }: Operation) =>
  fc
    .oneof(
      hostileText.map((text) => encode(text.slice(0, 2000))),
      fc.constantFrom(..."%ff %00 %2f %5c .. . %2e a;b {token} %C3%A4".split(" ")),
    )
    .map((segment) => path.replaceAll(/\{\w+\}/g, () => segment || "x"));

export const contentType = fc.constantFrom(
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

/** Bytes that match their content type, or nearly do. */
export const rawBody = fc.oneof(
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
