import { allOperations, type Operation, type RedirectField } from "@latchkey/contracts";
import fc from "fast-check";
import { until } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { hostileRedirects } from "../../services/gateway/src/origins/hostile-redirects.fixture.ts";
import { firstOfKind, matrixOnly, representatives } from "../harness/matrix.ts";
import { jsonRequest, type RawRequest, type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";

const baseUrl = "http://localhost:3000/api/auth";
const email = "ada@example.com";
const password = "correct horse battery";
const atOnce = 16;

/** Cookie header of Ada's session. */
let cookie = "";
const { system } = useSystem({
  stores: "postgres",
  config: {
    baseURL: "http://localhost:3000",
    trustedOrigins: [
      "https://app.example.com",
      "https://*.example.org",
      "myapp://",
      "*.partner.test",
    ],
    magicLink: { enabled: true },
    socialProviders: { google: { clientId: "google", oneTap: true } },
    oauthProxy: {
      enabled: true,
      productionURL: "https://auth.example.com/api/auth",
      secret: "a secret that production shares with its previews",
    },
    emailVerification: { sendOnSignUp: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  },
});
beforeAll(async () => {
  const request = jsonRequest({ name: "Ada", email, password, username: "ada_l" });
  const answer = await sendRaw(system.origin, { ...request, target: "/api/auth/sign-up/email" });
  cookie = answer.cookies[0]?.split(";")[0] ?? "";
  await system.smtp.waitForMail(email);
});

/** Enough valid input for every operation that only the redirect URL is invalid. */
const fieldsOf = ({ name }: Operation): Record<string, string> => ({
  name: "Bob",
  email: name === "signUpEmail" ? "bob@example.com" : email,
  newEmail: "ada@new.example",
  username: "ada_l",
  password,
  ...(name === "deleteUser" ? {} : { token: "x" }),
});

/** Sends a request with Ada's session, as her browser does. */
const send = (raw: RawRequest): Promise<RawResponse> =>
  sendRaw(system.origin, { ...raw, headers: { ...raw.headers, cookie } });

const targetOf = ({ path }: Operation) => `/api/auth${path.replaceAll(/\{\w+\}/g, "x".repeat(24))}`;

const codes: Record<RedirectField, string> = {
  callbackURL: "INVALID_CALLBACKURL",
  redirectTo: "INVALID_REDIRECTURL",
  errorCallbackURL: "INVALID_ERRORCALLBACKURL",
  newUserCallbackURL: "INVALID_NEWUSERCALLBACKURL",
};

const targets = allOperations.flatMap((operation) =>
  operation.exposure === "public"
    ? (operation.redirects ?? []).map((field) => ({ name: operation.name, operation, field }))
    : [],
);
type Target = (typeof targets)[number];

type Pairs = readonly (readonly [string, string])[];
const boundary = "----boundary";
const multipart = (pairs: Pairs, attribute = "") =>
  pairs
    .map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${attribute}\r\n\r\n${value}\r\n`,
    )
    .join("") + `--${boundary}--\r\n`;

type Encode = (pairs: Pairs) => Pick<RawRequest, "method" | "headers" | "body">;
const asJson: Encode = (pairs) => jsonRequest(Object.fromEntries(pairs));
const asForm: Encode = (pairs) => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString(),
});
const asMultipart: Encode = (pairs) => ({
  method: "POST",
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  body: multipart(pairs),
});
const encodings: Record<string, Encode> = { JSON: asJson, form: asForm, multipart: asMultipart };

const queryOf = (pairs: Pairs) =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

/** Every way in which a client can send a value for a field of an operation. */
const waysOf = ({ operation, field }: Target): [string, (value: string) => RawRequest][] => {
  const target = targetOf(operation);
  const fields = Object.entries(fieldsOf(operation));
  const inQuery = (value: string): RawRequest => ({
    target: `${target}?${queryOf([...fields, [field, value]])}`,
  });
  if (operation.method === "GET") return [["query", inQuery]];
  const bodies = Object.entries(encodings).map(([label, encode]): [string, typeof inQuery] => [
    label,
    (value) => ({ ...encode([...fields, [field, value]]), target }),
  ]);
  return bodies;
};

const describeAnswer = ({ status, text, headers }: RawResponse, value: string) => ({
  value,
  status,
  code: status === 302 ? headers.location : (JSON.parse(text || "{}") as { code?: string }).code,
});

/** Sends every request, a few in parallel, and returns the answers that are not the expected rejection. */
const unrefused = async (
  values: readonly string[],
  requestFor: (value: string) => RawRequest,
  code: string,
) => {
  const others: ReturnType<typeof describeAnswer>[] = [];
  const remaining = values.values();
  const work = async () => {
    for (const value of remaining) {
      const seen = describeAnswer(await send(requestFor(value)), value);
      if (seen.code !== code || seen.status !== 403) others.push(seen);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return others;
};

/**
 * The gateway checks the decoded value, whatever the operation and however it is sent. So one operation with each field gets every value in
 * one way, and in `npm test` the others get one value of each kind. `redirect-target.test.ts` tests the check itself.
 */
const getsEveryValue = firstOfKind(
  ({ operation, field }: Target) => `${operation.method} ${field}`,
);
const valuesFor = (target: Target, way: string): string[] => {
  const groups =
    (way === "query" || way === "JSON") && getsEveryValue(target)
      ? hostileRedirects
      : [
          ...hostileRedirects.map(({ values }) => ({ values: values.slice(0, 1) })),
          ...matrixOnly(...hostileRedirects),
        ];
  return [...new Set(groups.flatMap(({ values }) => values))];
};

/** A link of ours with a foreign target abuses our name, and may carry a token there. */
describe.each(targets)("$name never redirects to a foreign $field", (entry) => {
  test.each(waysOf(entry))("sent in its %s", async (way, requestFor) => {
    const values = valuesFor(entry, way);
    // Text that no field accepts is rejected as input, before its target is checked.
    const plain = values.filter((value) => !value.includes("\0"));
    const withNul = values.filter((value) => value.includes("\0"));
    expect(await unrefused(plain, requestFor, codes[entry.field])).toEqual([]);
    for (const value of withNul)
      expect([400, 403]).toContain((await send(requestFor(value))).status);
  });
});

const evil = "https://evil.com/";
const inPost = targets.filter(({ operation }) => operation.method === "POST");
/** The gateway reads inputs alike for all operations, and every service as well. */
const shapesOf = (list: readonly Target[]) =>
  representatives(
    list,
    firstOfKind(({ operation, field }) => `${operation.owner} ${field}`),
  );

/** The gateway checks the result of one parser and the owner uses that of another: they must read the same value. */
describe.each(shapesOf(inPost))(
  "$name reads its $field once, whatever the body's shape",
  ({ operation, field }) => {
    const target = targetOf(operation);
    const pairs = Object.entries(fieldsOf(operation));
    const fields = Object.fromEntries(pairs);
    const form = new URLSearchParams(fields).toString();
    const raw = (type: string, body: string): RawRequest => ({
      method: "POST",
      target,
      headers: { "content-type": type },
      body,
    });
    const inJson = (text: string) =>
      raw("application/json", `${JSON.stringify(fields).slice(0, -1)},${text}}`);

    test.each<[string, RawRequest]>([
      ["null", inJson(`"${field}":null`)],
      ["a list", inJson(`"${field}":["/","${evil}"]`)],
      ["an object", inJson(`"${field}":{"toString":"${evil}"}`)],
      ["a number", inJson(`"${field}":1`)],
      ["a truth value", inJson(`"${field}":true`)],
      ["a later name of two", inJson(`"${field}":"/","${field}":"${evil}"`)],
      [
        "an escaped name",
        inJson(`"\\u00${field.charCodeAt(0).toString(16)}${field.slice(1)}":"${evil}"`),
      ],
      [
        "a later field of a form",
        raw("application/x-www-form-urlencoded", `${form}&${field}=/&${field}=${evil}`),
      ],
      [
        "a field of a form with an escaped name",
        raw(
          "application/x-www-form-urlencoded",
          `${form}&%${field.charCodeAt(0).toString(16)}${field.slice(1)}=${evil}`,
        ),
      ],
      [
        "a later part",
        raw(
          `multipart/form-data; boundary=${boundary}`,
          multipart([...pairs, [field, "/"], [field, evil]]),
        ),
      ],
      [
        "a file",
        raw(
          `multipart/form-data; boundary=${boundary}`,
          multipart([...pairs, [field, evil]], '; filename="x"'),
        ),
      ],
      ["a form that calls itself JSON", raw("application/json", `${form}&${field}=${evil}`)],
      [
        "JSON that calls itself a form",
        raw("application/x-www-form-urlencoded", JSON.stringify({ ...fields, [field]: evil })),
      ],
      [
        "JSON of two media types",
        raw("text/plain, application/json", JSON.stringify({ ...fields, [field]: evil })),
      ],
    ])("%s", async (_case, request) => {
      const { status, headers, text } = await send(request);
      // If no body is read, an operation without required input is carried out.
      const needsNothing = operation.name === "deleteUser";
      expect(needsNothing ? [200, 400, 403] : [400, 401, 403]).toContain(status);
      expect([headers.location, text]).toEqual([undefined, expect.not.stringContaining("evil")]);
    });
  },
);

test.each(inPost)("$name reports the issues of its $field", async ({ operation, field }) => {
  const body = { ...fieldsOf(operation), [field]: 1 };
  const answer = await send({ ...jsonRequest(body), target: targetOf(operation) });
  const { code, issues } = JSON.parse(answer.text) as { code: string; issues?: { path: string }[] };
  expect([answer.status, code]).toEqual([400, "VALIDATION_ERROR"]);
  expect(issues?.map(({ path }) => path)).toContain(field);
});

const inQuery = targets.filter(({ operation }) => operation.method === "GET");

describe.each(shapesOf(inQuery))(
  "$name reads its $field once, whatever the query's shape",
  ({ operation, field }) => {
    const first = `%${field.charCodeAt(0).toString(16)}${field.slice(1)}`;
    test.each<[string, string]>([
      ["a name after a safe one", `token=x&${field}=/&${field}=${evil}`],
      ["a name before a safe one", `token=x&${field}=${evil}&${field}=/`],
      ["a name after an empty one", `token=x&${field}=&${field}=${evil}`],
      ["an escaped name", `token=x&${first}=${evil}`],
      ["an escaped name after a plain one", `token=x&${field}=/&${first}=${evil}`],
      ["a name with a list's brackets", `token=x&${field}=/&${field}[]=${evil}&${field}=${evil}`],
      ["a value that is not UTF-8", `token=x&${field}=${evil}%ff`],
      ["a value with an escape that is none", `token=x&${field}=${evil}%zz`],
      ["a value with a NUL", `token=x&${field}=${evil}%00`],
      ["a value with a NUL that is not UTF-8", `token=x&${field}=${evil}%00%ff`],
      ["a value with a NUL and an escape that is none", `token=x&${field}=${evil}%00%zz`],
      ["a value that grows when it is read", `token=x&${field}=${evil}${"%ff".repeat(600)}%00`],
      ["a long value", `token=x&${field}=${evil}${"x".repeat(3000)}`],
      ["a value beside a token that is not UTF-8", `token=%ff%00&${field}=${evil}`],
      ["a value beside an absent token", `${field}=${evil}`],
      ["a value beside two tokens", `token=x&token=y&${field}=${evil}`],
      ["a value after a second question mark", `token=x&a=?&${field}=${evil}`],
    ])("%s", async (_case, query) => {
      const answer = await send({ target: `${targetOf(operation)}?${query}` });
      expect([answer.status, answer.headers.location]).toEqual([
        expect.toSatisfy((status: number) => status === 400 || status === 403),
        undefined,
      ]);
    });
  },
);

test("no mail sent for any of them links elsewhere", async () => {
  const request = jsonRequest({ name: "Carol", email: "carol@example.com", password });
  await sendRaw(system.origin, { ...request, target: "/api/auth/sign-up/email" });
  await system.smtp.waitForMail("carol@example.com");
  const { mails } = system.smtp;
  expect(new Set(mails.flatMap(({ to }) => to))).toEqual(new Set([email, "carol@example.com"]));
  const links = mails.flatMap((mail) => mail.links);
  expect(links.filter((link) => !link.startsWith(`${baseUrl}/`))).toEqual([]);
  expect(new Set(links.map((link) => new URL(link).searchParams.get("callbackURL")))).toEqual(
    new Set(["/"]),
  );
});

const inQueryOfPost = inPost.filter(({ field }) => field === "callbackURL");

test.each(inQueryOfPost)(
  "$name also rejects a foreign $field in its query",
  async ({ operation }) => {
    const fields = { ...fieldsOf(operation), email: "no address" };
    const requestFor = (value: string) => ({
      ...jsonRequest(fields),
      target: `${targetOf(operation)}?${queryOf([["callbackURL", value]])}`,
    });
    const values = hostileRedirects.flatMap((group) => group.values.slice(0, 1));
    expect(await unrefused(values, requestFor, codes.callbackURL)).toEqual([]);
  },
);

describe("a valid redirect target is accepted", () => {
  test.each([
    "/",
    "/welcome?from=mail",
    "https://app.example.com/welcome",
    "https://a.b.example.org",
    "https://a.partner.test/x",
    "http://localhost:3000/x",
    "myapp://welcome",
  ])("%s", async (callbackURL) => {
    const target = `/api/auth/verify-email?token=x&callbackURL=${encodeURIComponent(callbackURL)}`;
    const answer = await sendRaw(system.origin, { target });
    const mark = callbackURL.includes("?") ? "&" : "?";
    expect([answer.status, answer.text]).toEqual([302, ""]);
    expect(answer.headers.location).toBe(`${callbackURL}${mark}error=invalid_token`);
  });
});

test("a redirect has no body and the documented media type", async () => {
  const answer = await sendRaw(system.origin, {
    target: "/api/auth/verify-email?token=x&callbackURL=/",
  });
  expect([answer.status, answer.text]).toEqual([302, ""]);
  expect(answer.headers["content-type"] ?? "application/json").toBe("application/json");
});

describe("a mailed reset link", () => {
  const opened = async (token: string, callbackURL: string) => {
    const path = `/api/auth/reset-password/${token}`;
    const target = `${path}?callbackURL=${encodeURIComponent(callbackURL)}`;
    const { status, headers, text } = await sendRaw(system.origin, { target });
    return { status, location: headers.location, text };
  };
  let token = "";
  beforeAll(async () => {
    const countBefore = system.smtp.mails.length;
    const request = jsonRequest({ email, redirectTo: "https://app.example.com/reset" });
    await send({ ...request, target: "/api/auth/request-password-reset" });
    const mail = await until(() => system.smtp.mails[countBefore]);
    const link = new URL(mail.links[0] ?? "");
    expect(link.searchParams.get("callbackURL")).toBe("https://app.example.com/reset");
    token = link.pathname.split("/").at(-1) ?? "";
    expect(token).toMatch(/^\w{24}$/);
  });

  test.each([
    ["/", "http://localhost:3000/?"],
    ["/reset?from=mail", "http://localhost:3000/reset?from=mail&"],
    ["https://app.example.com/reset", "https://app.example.com/reset?"],
    ["https://a.b.example.org", "https://a.b.example.org?"],
    ["myapp://reset", "myapp://reset?"],
    ["/reset?token=another", "http://localhost:3000/reset?", "token=another&"],
    ["/reset?error=another", "http://localhost:3000/reset?", "", "error=another&"],
  ])(
    "that names %s leads there",
    async (callbackURL, place, besideError = "", besideToken = "") => {
      expect(await opened(token, callbackURL)).toEqual({
        status: 302,
        location: `${place}${besideToken}token=${token}`,
        text: "",
      });
      expect(await opened("x".repeat(24), callbackURL)).toEqual({
        status: 302,
        location: `${place}${besideError}error=INVALID_TOKEN`,
        text: "",
      });
    },
  );

  test("without a location leads to the error page", async () => {
    const location = `${baseUrl}/error?error=INVALID_TOKEN`;
    expect(await opened(token, "")).toEqual({ status: 302, location, text: "" });
  });

  const piece = fc.constantFrom(
    ..."/ // /// \\ . .. @ : ? # & = ; %2f %5c %00 %09 http https: http: myapp: javascript: token=x".split(
      " ",
    ),
    ..."evil.com app.example.com a.example.org .example.org localhost :3000 :443 [::1]".split(" "),
    "\t",
    "\n",
    " ",
    "\0",
    "\u00e4",
    "\ud800",
  );
  const isTrusted = ({ protocol, host }: URL) =>
    protocol === "myapp:" ||
    (protocol === "https:" && (host === "app.example.com" || host.endsWith(".example.org"))) ||
    (protocol === "http:" && host === "localhost:3000");

  /** The text is checked, and the URL is built from it: the two must never differ. */
  test("and a verification link lead to trusted locations only", async () => {
    const named = fc
      .tuple(
        fc.constantFrom("", "", "/", "/a", "https://app.example.com", "http://localhost:3000"),
        fc.array(piece, { minLength: 1, maxLength: 6 }),
      )
      .map(([begin, pieces]) => (begin + pieces.join("")).toWellFormed());
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(named, fc.boolean(), async (callbackURL, isGood) => {
        const callback = `callbackURL=${encodeURIComponent(callbackURL)}`;
        const secret = isGood ? token : "x".repeat(24);
        for (const target of [
          `/reset-password/${secret}?${callback}`,
          `/verify-email?token=x&${callback}`,
        ]) {
          const { status, headers } = await sendRaw(system.origin, {
            target: `/api/auth${target}`,
          });
          if (status !== 302) {
            expect([status, headers.location]).toEqual([expect.toBeOneOf([400, 403]), undefined]);
            continue;
          }
          followed += 1;
          expect(new URL(headers.location ?? "", `${baseUrl}/`)).toSatisfy(isTrusted);
        }
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect(followed).toBeGreaterThan(0);
  });
});
